import {hasCode, JpError} from '../../errors/jp-error.js'
import type {Prompter} from '../../platform/prompter.js'
import type {ToPlugin} from '../../protocol/host-to-plugin.js'
import type {ToHostOf} from '../../protocol/plugin-to-host.js'

/**
 * Asks the user one question of a plugin. An answer with neither `text` nor `values` means that it was cancelled.
 * @throws JpError `answer_required` where nobody can be asked.
 */
export const compose = async (
  prompter: Prompter | undefined,
  question: ToHostOf<'compose'>,
  signal: AbortSignal,
): Promise<ToPlugin> => {
  if (prompter === undefined) {
    throw new JpError('answer_required', `Nobody can be asked here: ${question.message}`, {
      hint: 'jp has no terminal, or was told to ask nothing.',
    })
  }
  try {
    return {type: 'composed', ...(await answerTo(prompter, question, signal))}
  } catch (error) {
    if (hasCode(error, 'interrupted')) return {type: 'composed'}
    throw error
  }
}

const answerTo = async (
  prompter: Prompter,
  {message, help, mode}: ToHostOf<'compose'>,
  signal: AbortSignal,
): Promise<{text: string} | {values: string[]}> => {
  const base = {message, signal, ...(help === undefined ? {} : {detail: help})}
  switch (mode.kind) {
    case 'line':
      return {text: await prompter.input({...base, ...(mode.default === undefined ? {} : {suggestion: mode.default})})}
    case 'buffer':
      return {text: await prompter.edit({...base, text: mode.initial_text ?? ''})}
    case 'select':
      return {text: await prompter.search({...base, choices: startingWith(mode.options, mode.default)})}
    case 'multi_select':
      return {values: await prompter.selectMany({...base, choices: mode.options})}
  }
}

/** The default stands first: Enter takes it. */
const startingWith = <Option extends {value: string}>(
  options: readonly Option[],
  value: string | undefined,
): readonly Option[] => [
  ...options.filter((option) => option.value === value),
  ...options.filter((option) => option.value !== value),
]
