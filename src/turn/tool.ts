import type {JsonSchema} from './json-schema.js'
import type {DeniedCall, ToolCallEnded} from './turn-event.js'

/** A tool that a model may call: a local command, a built-in, one of an MCP server. */
export interface Tool {
  readonly name: string
  readonly description: string
  /** What its arguments look like; an object schema. */
  readonly inputSchema: JsonSchema
  /** What a call will do, for the person who decides about it; undefined: its arguments say it. */
  readonly shown?: (args: Readonly<Record<string, unknown>>) => string
  /** Runs one call. Never rejects for what the tool does: that is an outcome. `signal` ends it. */
  run(call: ToolRun, signal: AbortSignal): Promise<ToolOutcome>
}

/** One call of a tool, with whole and checked arguments. */
export type ToolRun = {
  readonly id: string
  readonly arguments: Readonly<Record<string, unknown>>
  /** Answers to the questions that the tool asked when it ran before, by question id. */
  readonly answers: Readonly<Record<string, unknown>>
}

/** What a run of a tool came to. */
export type ToolOutcome =
  | {readonly type: 'success' | 'error'; readonly content: string}
  | {readonly type: 'needs_input'; readonly question: ToolQuestion}

/** What a tool wants to know before it goes on. */
export type ToolQuestion = {
  readonly id: string
  readonly text: string
  /** Shown before the question. */
  readonly preamble?: string
  readonly answer: {readonly type: 'boolean' | 'text'} | {readonly type: 'select'; readonly options: readonly string[]}
  readonly default?: unknown
}

/** The result of one call, as the model is told. */
export type ToolResult = Omit<ToolCallEnded, 'type'> & {readonly denied?: DeniedCall}
