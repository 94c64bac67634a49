import type {ToolQuestion} from '../tool.js'

/** What a person is asked about one tool call, before it runs or before its result goes to the model. */
export type PermissionQuestion = {
  readonly call: {readonly id: string; readonly name: string; readonly arguments: Readonly<Record<string, unknown>>}
  readonly about: 'run' | 'result'
  /** Exactly what will run, or what will be delivered. */
  readonly shown: string
  /** What an answer for ever would cover, in words; undefined: there is none to give. */
  readonly always: string | undefined
}

/** The answer to a {@link PermissionQuestion}. */
export type PermissionAnswer =
  | {readonly decision: 'allow'; readonly always: boolean}
  /** `arguments` or `content` is what the person made of it. */
  | {readonly decision: 'edit'; readonly text: string}
  | {readonly decision: 'deny'; readonly reason: string | undefined}

/** What a person answers a tool. `holdsForTurn`: also when it asks the same again in this turn. */
export type ToolAnswer = {readonly value: unknown; readonly holdsForTurn?: boolean}

/** Asks whoever is there: the terminal, an editor over ACP, a client of the daemon. Absent where nobody is (W26). */
export interface PermissionAsker {
  /** @throws JpError `interrupted` when the question was taken back. */
  ask(question: PermissionQuestion, signal: AbortSignal): Promise<PermissionAnswer>
  /** Why no call of this tool may run now, whatever its configuration allows; undefined: it is for that to say. */
  readonly refuses?: (tool: string) => string | undefined
  /** Has a text edited; undefined when that is not possible here. */
  readonly edit?: (text: string, signal: AbortSignal) => Promise<string>
  /** Answers a question of a tool (facts 9.5); undefined when a question of this kind can't be asked here. */
  readonly answer?: (question: ToolQuestion, signal: AbortSignal) => Promise<ToolAnswer | undefined>
}
