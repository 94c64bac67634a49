import {hasCode, JpError} from '../../errors/jp-error.js'
import type {Prompter, QuestionBase} from '../../platform/prompter.js'
import type {ToPlugin} from '../../protocol/host-to-plugin.js'
import type {ToHostOf} from '../../protocol/plugin-to-host.js'

/** Who asks for a plugin. */
export type ComposeDeps = {
  /** Undefined where nobody can be asked. */
  readonly prompter: Prompter | undefined
  /** Has a text written in the user's editor; undefined when there is no editor. */
  edit(text: string): Promise<string | undefined>
  /** A line on the terminal, for what is asked in an editor. */
  note(text: string): void
}

/**
 * Asks the user one question of a plugin. An answer with neither `text` nor `values` means that it was cancelled.
 * @throws JpError `answer_required` where nobody can be asked, `child_failed` for an editor that fails.
 */
export const compose = async (
  deps: ComposeDeps,
  question: ToHostOf<'compose'>,
  signal: AbortSignal,
): Promise<ToPlugin> => {
  const {prompter} = deps
  if (prompter === undefined) {
    throw new JpError('answer_required', `Nobody can be asked here: ${question.message}`, {
      hint: 'jp has no terminal, or was told to ask nothing.',
    })
  }
  try {
    return {type: 'composed', ...(await answerTo({...deps, prompter}, question, signal))}
  } catch (error) {
    if (hasCode(error, 'interrupted')) return {type: 'composed'}
    throw error
  }
}

const answerTo = async (
  deps: ComposeDeps & {readonly prompter: Prompter},
  {message, help, mode}: ToHostOf<'compose'>,
  signal: AbortSignal,
): Promise<{text: string} | {values: string[]}> => {
  const {prompter} = deps
  const base = {message, signal, ...(help === undefined ? {} : {detail: help})}
  switch (mode.kind) {
    case 'line':
      return {text: await prompter.input({...base, ...(mode.default === undefined ? {} : {suggestion: mode.default})})}
    case 'buffer':
      return {text: await write(deps, base, mode.initial_text ?? '')}
    case 'select':
      return {text: await prompter.search({...base, choices: startingWith(mode.options, mode.default)})}
    case 'multi_select':
      return {values: await prompter.selectMany({...base, choices: mode.options})}
  }
}

/** In the editor that messages are written in, as it left the text; without one on a line of the terminal. */
const write = async (
  deps: ComposeDeps & {readonly prompter: Prompter},
  question: QuestionBase,
  text: string,
): Promise<string> => {
  deps.note(question.detail === undefined ? question.message : `${question.message}\n${question.detail}`)
  const written = await deps.edit(text)
  return written ?? deps.prompter.input({...question, ...(text === '' ? {} : {suggestion: text})})
}

/** The default stands first: Enter takes it. */
const startingWith = <Option extends {value: string}>(
  options: readonly Option[],
  value: string | undefined,
): readonly Option[] => [
  ...options.filter((option) => option.value === value),
  ...options.filter((option) => option.value !== value),
]
