import type {PromptChoice, Prompter} from '../../platform/prompter.js'
import type {ToolQuestion} from '../../turn/tool.js'
import type {PermissionAnswer, PermissionAsker, PermissionQuestion, ToolAnswer} from '../../turn/tools/permission.js'

/** What asking on a terminal stands on. */
export type TerminalAskerDeps = {
  readonly prompter: Prompter
  /** Holds the output back; gives the function that lets it go. */
  readonly hold: () => () => void
  /** Opens the editor. */
  readonly edit: (text: string, name: string) => Promise<string>
}

type Choice = 'yes' | 'always' | 'edit' | 'no' | 'reason'

/** Asks at the terminal about tool calls (W26). What is shown is exactly what will run, with nothing hidden (W31). */
export const createTerminalAsker = ({prompter, hold, edit}: TerminalAskerDeps): PermissionAsker => {
  const held = async <Result>(ask: () => Promise<Result>): Promise<Result> => {
    const release = hold()
    try {
      return await ask()
    } finally {
      release()
    }
  }
  return {
    ask: (question, signal) => held(() => askAbout(question, signal, {prompter, edit})),
    edit: (text) => held(() => edit(text, 'tool.json')),
    answer: (question, signal) => held(() => answerQuestion(question, signal, prompter)),
  }
}

const askAbout = async (
  question: PermissionQuestion,
  signal: AbortSignal,
  {prompter, edit}: Pick<TerminalAskerDeps, 'prompter' | 'edit'>,
): Promise<PermissionAnswer> => {
  const {name} = question.call
  const choice = await prompter.choose<Choice>({
    message: question.about === 'run' ? `Run the tool ${name}?` : `Give this result of ${name} to the assistant?`,
    detail: question.shown,
    signal,
    choices: choicesFor(question),
  })
  switch (choice) {
    case 'yes':
      return {decision: 'allow', always: false}
    case 'always':
      return {decision: 'allow', always: true}
    case 'no':
      return {decision: 'deny', reason: undefined}
    case 'reason': {
      const reason = (await prompter.input({message: 'Tell the assistant why:', signal})).trim()
      return {decision: 'deny', reason: reason === '' ? undefined : reason}
    }
    case 'edit': {
      const text = question.about === 'run' ? JSON.stringify(question.call.arguments, undefined, 2) : question.shown
      return {decision: 'edit', text: await edit(text, question.about === 'run' ? 'arguments.json' : 'result.txt')}
    }
  }
}

const choicesFor = ({about, always}: PermissionQuestion) => [
  {value: 'yes' as const, key: 'y', label: 'Yes'},
  ...(always === undefined ? [] : [{value: 'always' as const, key: 'a', label: `Yes, and always: ${always}`}]),
  {value: 'edit' as const, key: 'e', label: about === 'run' ? 'Edit its arguments first' : 'Edit it first'},
  {value: 'no' as const, key: 'n', label: 'No'},
  {value: 'reason' as const, key: 'r', label: 'No, and say why'},
]

const answerQuestion = async (question: ToolQuestion, signal: AbortSignal, prompter: Prompter): Promise<ToolAnswer> => {
  const shared = {
    message: question.text,
    signal,
    ...(question.preamble === undefined ? {} : {detail: question.preamble}),
  }
  const {answer} = question
  if (answer.type === 'boolean') return prompter.choose({...shared, choices: yesOrNo(question.default === true)})
  if (answer.type === 'select') {
    const choices = answer.options.map((value) => ({value, label: value}))
    return {value: await prompter.search({...shared, choices})}
  }
  const suggestion = typeof question.default === 'string' ? {suggestion: question.default} : {}
  return {value: await prompter.input({...shared, ...suggestion})}
}

/** What Enter gives stands first. */
const yesOrNo = (byDefault: boolean): readonly PromptChoice<ToolAnswer>[] => {
  const of = (value: boolean, key: string, label: string): readonly PromptChoice<ToolAnswer>[] => [
    {value: {value}, key, label},
    {
      value: {value, holdsForTurn: true},
      key: key.toUpperCase(),
      label: `${label}, also when it asks again in this turn`,
    },
  ]
  const [yes, no] = [of(true, 'y', 'Yes'), of(false, 'n', 'No')]
  return byDefault ? [...yes, ...no] : [...no, ...yes]
}
