import type {ToolOutcome, ToolQuestion} from '../tool.js'

/** How a tool's command ended. */
export type CommandEnd = {
  readonly stdout: string
  readonly stderr: string
  /** How it ended, for the model: `exit code 2`, `signal SIGKILL`; undefined when it succeeded. */
  readonly failure: string | undefined
}

/** What a command's output means (facts 9.5): an outcome when stdout is such JSON, else its text. */
export const readOutcome = (end: CommandEnd): ToolOutcome => structuredOutcome(end.stdout) ?? plainOutcome(end)

const plainOutcome = ({stdout, stderr, failure}: CommandEnd): ToolOutcome =>
  failure === undefined
    ? {type: 'success', content: stdout}
    : {type: 'error', content: JSON.stringify({message: `The tool failed: ${failure}.`, stdout, stderr}, undefined, 2)}

const structuredOutcome = (stdout: string): ToolOutcome | undefined => {
  const value = parseObject(stdout)
  switch (value?.['type']) {
    case 'success':
      return typeof value['content'] === 'string' ? {type: 'success', content: value['content']} : undefined
    case 'error': {
      const {message, trace, transient} = value
      return typeof message === 'string'
        ? {
            type: 'error',
            content: JSON.stringify({message, trace: trace ?? [], transient: transient === true}, undefined, 2),
          }
        : undefined
    }
    case 'needs_input': {
      const question = readQuestion(value['question'])
      return question === undefined ? undefined : {type: 'needs_input', question}
    }
    default:
      return undefined
  }
}

const readQuestion = (value: unknown): ToolQuestion | undefined => {
  if (!isRecord(value)) return undefined
  const {id, text, pre_amble: preamble} = value
  const answer = readAnswerType(value['answer_type'])
  if (typeof id !== 'string' || typeof text !== 'string' || answer === undefined) return undefined
  return {
    id,
    text,
    answer,
    ...(typeof preamble === 'string' ? {preamble} : {}),
    ...(value['default'] === undefined || value['default'] === null ? {} : {default: value['default']}),
  }
}

const readAnswerType = (value: unknown): ToolQuestion['answer'] | undefined => {
  const word = typeof value === 'string' ? value.toLowerCase() : undefined
  if (word === 'boolean' || word === 'text') return {type: word}
  if (!isRecord(value)) return undefined
  const select = value['Select'] ?? value['select']
  const options = isRecord(select) ? select['options'] : undefined
  return Array.isArray(options) ? {type: 'select', options: options.map(String)} : undefined
}

const parseObject = (text: string): Readonly<Record<string, unknown>> | undefined => {
  if (!text.trimStart().startsWith('{')) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
