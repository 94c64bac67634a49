import {JpError} from '../errors/jp-error.js'
import type {ChoiceQuestion, InputQuestion, PromptChoice, Prompter, QuestionBase} from '../platform/prompter.js'
import {spelledOut} from '../platform/sanitise.js'
import {openTerminal} from '../platform/terminal.js'
import type {KeyedList} from './keyed-prompt.js'
import {restoreOnSignal} from './restore-terminal.js'

/** What inquirer is told of one question; `type` is the name of a prompt. */
type Spec = {
  readonly type: 'input' | 'confirm' | 'password' | 'search' | 'keyed' | 'checkbox'
  readonly message: string
} & Readonly<Record<string, unknown>>

/** How many lines of a list are shown at once. */
const pageSize = 12

/**
 * The {@link Prompter} of a run: inquirer on the terminal device itself (W9). Neither stdin nor stdout is touched, so
 * `cat notes | jp query … | jq` can ask. inquirer is loaded, and the terminal opened, for the first question only.
 */
export const createPrompter = (platform: NodeJS.Platform, ending: AbortSignal): Prompter => {
  const ask = oneAtATime((question: QuestionBase, spec: Spec) => askOnTerminal(platform, ending, {question, spec}))
  const choose = async <Value>(question: ChoiceQuestion<Value>, spec: Spec): Promise<Value> => {
    const choice = question.choices[Number(await ask(question, spec))]
    if (choice === undefined) throw new JpError('internal', `"${question.message}" has no such answer.`)
    return choice.value
  }
  return {
    choose: (question) => choose(question, {type: 'keyed', ...keyedListOf(question)}),
    search: (question) =>
      choose(question, {
        type: 'search',
        message: shown(question.message),
        pageSize,
        source: searcher(question.choices),
      }),
    async selectMany(question) {
      const picked = await ask(question, {
        type: 'checkbox',
        message: shown(question.message),
        pageSize,
        choices: question.choices.map(({label}, value) => ({name: shown(label), value})),
      })
      const indexes = new Set(Array.isArray(picked) ? picked.map(Number) : [])
      return question.choices.filter((_, index) => indexes.has(index)).map(({value}) => value)
    },
    confirm: async (question) =>
      (await ask(question, {
        type: 'confirm',
        message: shown(question.message),
        default: question.byDefault ?? false,
      })) === true,
    input: async (question) => String(await ask(question, inputSpec(question))),
    secret: async (question) =>
      String(await ask(question, {type: 'password', message: shown(question.message), mask: true})),
  }
}

/** A text on one line in which nothing is hidden (W31). */
const shown = (text: string): string => spelledOut(text).replaceAll('\n', '<U+000A>').replaceAll('\t', ' ')

const keyedListOf = ({message, choices}: ChoiceQuestion<unknown>): KeyedList => ({
  message: shown(message),
  choices: choices.map(({label, key, description}) => ({
    label: shown(label),
    key: key ?? '',
    description: description === undefined ? undefined : shown(description),
  })),
})

/** Every word that is typed must stand in the label or the description. */
const searcher = (choices: readonly PromptChoice<unknown>[]) => {
  const rows = choices.map(({label, description}, value) => ({
    value,
    name: shown(label),
    ...(description === undefined ? {} : {description: shown(description)}),
    haystack: `${label} ${description ?? ''}`.toLowerCase(),
  }))
  return (term: string | undefined) => {
    const words = (term ?? '').toLowerCase().split(/\s+/)
    return rows.filter(({haystack}) => words.every((word) => haystack.includes(word)))
  }
}

const inputSpec = ({message, suggestion, complaint}: InputQuestion): Spec => ({
  type: 'input',
  message: shown(message),
  ...(suggestion === undefined ? {} : {default: shown(suggestion)}),
  validate: (text: string) => complaint?.(text) ?? true,
})

type Ask = (question: QuestionBase, spec: Spec) => Promise<unknown>

/** Questions of concurrent tools must not draw over each other. */
const oneAtATime = (ask: Ask): Ask => {
  let last: Promise<unknown> = Promise.resolve()
  return (question, spec) => {
    const answer = last.then(() => ask(question, spec))
    last = answer.catch(() => undefined)
    return answer
  }
}

const askOnTerminal = async (
  platform: NodeJS.Platform,
  ending: AbortSignal,
  {question, spec}: {question: QuestionBase; spec: Spec},
): Promise<unknown> => {
  const signal = question.signal === undefined ? ending : AbortSignal.any([ending, question.signal])
  if (signal.aborted) throw new JpError('interrupted', 'The question was taken back.', {cause: signal.reason})
  const [{createPromptModule}, {keyedList}] = await Promise.all([import('inquirer'), import('./keyed-prompt.js')])
  const device = await openTerminal(platform)
  const stopWatching = restoreOnSignal(device)
  try {
    if (question.detail !== undefined) device.output.write(`${spelledOut(question.detail).trimEnd()}\n`)
    const prompt = createPromptModule<{keyed: KeyedList}>({input: device.input, output: device.output, signal})
    prompt.registerPrompt('keyed', keyedList)
    return (await prompt<{answer: unknown}>([{name: 'answer', ...spec}])).answer
  } catch (error) {
    throw promptFailure(error)
  } finally {
    stopWatching()
    device.close()
  }
}

/** inquirer names its errors; only those that mean that the person or the signal ended the question are ours to turn. */
const promptFailure = (error: unknown): unknown =>
  error instanceof Error && ['ExitPromptError', 'AbortPromptError', 'CancelPromptError'].includes(error.name)
    ? new JpError('interrupted', 'Cancelled: the question was not answered.', {cause: error})
    : error
