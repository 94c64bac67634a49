import type {ErrorCode} from '../errors/catalogue.js'

/**
 * What a turn says while it runs (W35): one typed stream, the same for the terminal, `--format json`, plugins, the daemon
 * and ACP. Every event is plain JSON with stable snake_case names, so that it can go through a pipe or a socket as it is.
 *
 * Deltas come first, as they arrive from the model; the `event` that holds the whole part follows once it is stored, so
 * whoever shows deltas may ignore it, and whoever wants acknowledged content ignores deltas.
 */
export type TurnEvent =
  | TurnStarted
  | {readonly type: 'text_delta'; readonly text: string}
  | {readonly type: 'reasoning_delta'; readonly text: string}
  /** An entry of the conversation's stream, stored: it survives a crash (W18). */
  | {readonly type: 'event'; readonly event: TurnEntry}
  /** The model has begun to write a tool call; its arguments are not complete. */
  | {readonly type: 'tool_call_preparing'; readonly id: string; readonly name: string}
  | ToolCallRequested
  | {readonly type: 'permission_requested'; readonly id: string; readonly name: string; readonly shown: string}
  | {readonly type: 'permission_resolved'; readonly id: string; readonly decision: 'allowed' | 'denied'}
  | {readonly type: 'tool_call_started'; readonly id: string; readonly name: string}
  | ToolCallEnded
  /** The model call failed in a way that passes; the next try starts after the delay. */
  | {readonly type: 'retrying'; readonly attempt: number; readonly delay_ms: number; readonly reason: string}
  | {readonly type: 'warning'; readonly message: string}
  | {readonly type: 'title_changed'; readonly title: string}
  /** Tokens of one model cycle. */
  | {readonly type: 'usage'; readonly usage: TokenUsage}
  | TurnEnded

/** The first event: everything named here is stored when it is sent (S20). */
export type TurnStarted = {
  readonly type: 'turn_started'
  readonly conversation: string
  readonly is_new: boolean
  readonly workspace: string
  /** The checkout that the turn runs in: canonical path. */
  readonly root: string
  /** `provider/name` */
  readonly model: string
}

/** A stored entry as `read_events` gives it: decoded, with its timestamp. */
export type TurnEntry = {readonly type: string; readonly timestamp: string; readonly [field: string]: unknown}

/** The model asks for a tool, with whole arguments. */
export type ToolCallRequested = {
  readonly type: 'tool_call_requested'
  readonly id: string
  readonly name: string
  readonly arguments: Readonly<Record<string, unknown>>
}

/** A tool call has its result, and the result is stored. */
export type ToolCallEnded = {
  readonly type: 'tool_call_ended'
  readonly id: string
  readonly name: string
  readonly outcome: 'success' | 'error' | 'denied' | 'cancelled'
  /** What the model is told. */
  readonly content: string
}

/** Unit: tokens. Undefined where the provider does not say. */
export type TokenUsage = {
  readonly input_tokens?: number
  readonly cached_input_tokens?: number
  readonly output_tokens?: number
  readonly reasoning_tokens?: number
}

/** The last event of every turn. */
export type TurnEnded = {readonly type: 'turn_ended'} & TurnEndWire

/** How a turn ended, as JSON. */
export type TurnEndWire = {
  /** `stopped`: by the user or by whoever runs the turn; what was received is kept. */
  readonly outcome: 'completed' | 'stopped' | 'failed'
  /** What the model gave as its reason; undefined when it never finished. */
  readonly finish_reason?: string
  /** The words of the last cycle: the answer. */
  readonly answer: string
  /** The structured answer, when a schema was asked for. */
  readonly data?: unknown
  /** Tokens of all cycles. */
  readonly usage: TokenUsage
  /** The tool calls that were refused, in order. */
  readonly denied: readonly DeniedCall[]
  readonly error?: {readonly code: ErrorCode; readonly message: string; readonly hint?: string}
}

/** A tool call that was not allowed to run. */
export type DeniedCall = {readonly id: string; readonly name: string; readonly reason: string}

/**
 * Receives the events of a turn, in order. A promise is awaited before the turn goes on, so a slow pipe slows the turn
 * instead of filling the memory. It must not throw.
 */
export type TurnSubscriber = (event: TurnEvent) => void | Promise<void>
