/** One event as jp writes it, strings plain. Field order is the order in the file (facts 2.5). */
export type EventBody =
  | {readonly type: 'config_delta'; readonly delta: object}
  | {readonly type: 'turn_start'}
  | {readonly type: 'chat_request'; readonly content: string; readonly schema?: object; readonly author?: string}
  | {readonly type: 'chat_response'; readonly message: string}
  | {readonly type: 'chat_response'; readonly reasoning: string}
  | {readonly type: 'chat_response'; readonly data: unknown}
  | {readonly type: 'tool_call_request'; readonly id: string; readonly name: string; readonly arguments: object}
  | {readonly type: 'tool_call_response'; readonly id: string; readonly content: string; readonly is_error: boolean}
  | {
      readonly type: 'inquiry_request'
      readonly id: string
      readonly source: InquirySource
      readonly question: InquiryQuestion
    }
  | {readonly type: 'inquiry_response'; readonly id: string; readonly answer: unknown}
  | Compaction

/** Who asks. */
export type InquirySource =
  | {readonly source: 'tool' | 'other'; readonly name: string}
  | {readonly source: 'assistant' | 'user'}

/** What is asked. */
export type InquiryQuestion = {
  readonly text: string
  readonly answer_type:
    | {readonly type: 'boolean' | 'text'}
    | {readonly type: 'select'; readonly options: readonly {readonly value: unknown; readonly description?: string}[]}
  readonly default?: unknown
}

/** Turns that are sent to a provider in short. */
export type Compaction = {
  readonly type: 'compaction'
  /** First and last turn, counted from 0, inclusive. */
  readonly from_turn: number
  readonly to_turn: number
  readonly summary?: {readonly summary: string}
  readonly reasoning?: 'strip'
  readonly tool_calls?:
    | {readonly policy: 'strip'; readonly request: boolean; readonly response: boolean}
    | {readonly policy: 'omit'}
}

/** An event to append. Without a timestamp it gets the time of the append. */
export type NewEvent = EventBody & {
  /** In the stored spelling. */
  readonly timestamp?: string
  readonly metadata?: Readonly<Record<string, unknown>>
}

/** A known event as read, decoded. Legacy shapes are told apart here, so that readers need not. */
export type KnownEvent = EventBody & {readonly timestamp: string; readonly metadata?: Readonly<Record<string, unknown>>}

/** One element of `events.json`. Nothing of it is lost: `text` is what the file says. */
export interface StoredEvent {
  readonly type: string
  /** As the file spells it. */
  readonly timestamp: string
  /** Every field as stored, base64 decoded: what `read_events` gives. */
  readonly value: Readonly<Record<string, unknown>>
  /** The event when jp knows its type; undefined for a type of another version. */
  readonly known: KnownEvent | undefined
  /** The element's own bytes as text. */
  readonly text: string
}
