import {JpError} from '../errors/jp-error.js'
import type {Prompter} from '../platform/prompter.js'

/** What tools may do in a new workspace. */
export const runPolicies = ['ask', 'unattended'] as const
export type RunPolicy = (typeof runPolicies)[number]

/** What `jp init` was told by flags; undefined where it was not. */
export type InitFlags = {
  readonly model: string | undefined
  readonly runTools: RunPolicy | undefined
  readonly userName: string | undefined
  readonly local: boolean | undefined
  /** Whether the model is asked once; undefined: on a terminal. */
  readonly testCall: boolean | undefined
}

/** Everything that a new workspace is made from. */
export type InitAnswers = {
  /** `provider/name`; undefined for none yet. */
  readonly model: string | undefined
  readonly runTools: RunPolicy
  /** For the user-global configuration; undefined when there is nothing to write. */
  readonly userName: string | undefined
  /** Conversations stay on this machine instead of being projected into the checkout. */
  readonly local: boolean
}

/** A model that can be used here, and why. */
export type ModelCandidate = {readonly model: string; readonly because: string}

/**
 * Proves that a model is written `provider/name`.
 * @throws JpError `usage`.
 */
export const checkModel = (model: string): string => {
  if (modelComplaint(model) === undefined) return model
  throw new JpError('usage', `"${model}" is no model: ${modelComplaint(model)}`, {
    hint: 'For example: --model anthropic/claude-sonnet-5',
  })
}

const modelComplaint = (model: string): string | undefined =>
  /^[A-Za-z0-9][\w.-]*\/\S+$/.test(model) ? undefined : 'Write PROVIDER/NAME.'

/** What else the questions are made from. */
export type InitFacts = {
  readonly candidates: readonly ModelCandidate[]
  /** Who the user probably is; undefined when the user-global configuration knows already. */
  readonly suggestedName: string | undefined
}

/** The answers without asking: what the flags say, and the careful choice elsewhere. */
export const withoutAsking = (flags: InitFlags): InitAnswers => ({
  model: flags.model,
  runTools: flags.runTools ?? 'ask',
  userName: flags.userName,
  local: flags.local ?? false,
})

/**
 * Asks for what the flags leave open (W1).
 * @throws JpError `interrupted`.
 */
export const askMissing = async (flags: InitFlags, facts: InitFacts, prompter: Prompter): Promise<InitAnswers> => {
  const runTools = flags.runTools ?? (await askRunTools(prompter))
  const model = flags.model ?? (await askModel(facts.candidates, prompter))
  const local = flags.local ?? (await askLocal(prompter))
  const userName = flags.userName ?? (await askUserName(facts.suggestedName, prompter))
  return {model, runTools, userName, local}
}

const askRunTools = (prompter: Prompter): Promise<RunPolicy> =>
  prompter.choose({
    message: 'When the model wants to run a tool:',
    choices: [
      {key: 'a', label: 'ask me first', value: 'ask' as const},
      {key: 'u', label: 'run it unattended', value: 'unattended' as const},
    ],
  })

const otherModel = Symbol('other')

const askModel = async (candidates: readonly ModelCandidate[], prompter: Prompter): Promise<string | undefined> => {
  const answer = await prompter.choose<string | undefined | typeof otherModel>({
    message: 'Which model should answer?',
    choices: [
      ...candidates.map(({model, because}, index) => ({
        key: String(index + 1),
        label: `${model} (${because})`,
        value: model,
      })),
      {key: 'e', label: 'echo/echo (says back what you write; needs no key)', value: 'echo/echo'},
      {key: 'o', label: 'another one', value: otherModel},
      {key: 'n', label: 'none yet', value: undefined},
    ],
  })
  return answer === otherModel ? prompter.input({message: 'Model (PROVIDER/NAME):', complaint: modelComplaint}) : answer
}

const askLocal = (prompter: Prompter): Promise<boolean> =>
  prompter.choose({
    message: 'New conversations are kept on this machine. Also in the project, so that they can be committed?',
    choices: [
      {key: 's', label: 'shared: also in .jp/conversations', value: false},
      {key: 'l', label: 'local: on this machine only', value: true},
    ],
  })

const askUserName = async (suggestion: string | undefined, prompter: Prompter): Promise<string | undefined> => {
  if (suggestion === undefined) return undefined
  const name = await prompter.input({
    message: 'Your name, as the model is told:',
    ...(suggestion === '' ? {} : {suggestion}),
  })
  return name.trim() === '' ? undefined : name.trim()
}
