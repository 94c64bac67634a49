import type {JsonSchema} from '../../turn/json-schema.js'
import type {Mount} from './mount-flags.js'
import type {ToolFlag} from './tool-flags.js'

/** What `jp query` was asked for: its flags, read and checked. */
export type QueryOptions = {
  readonly words: readonly string[]
  /** Which conversation: a new one, one by its target, a fork of one, or what the session is in. */
  readonly conversation:
    | {readonly kind: 'new'}
    | {readonly kind: 'target'; readonly target: string}
    | {readonly kind: 'session'}
  /** Go on in a copy; `keep` is how many of the last turns it starts with, undefined for all. */
  readonly fork: {readonly keep: number | undefined} | undefined
  readonly local: boolean | undefined
  /** Unit: milliseconds. 0: as soon as no session is in it. */
  readonly expiresInMs: number | undefined
  readonly title: string | undefined
  readonly labels: Readonly<Record<string, string>>
  /** Keys of `conversation.labels` whose rules are carried out, whatever they apply on. */
  readonly labelRules: readonly string[]
  /** Send the last request again, as if it had no answer. */
  readonly replay: boolean
  /** The words are a template. */
  readonly template: boolean
  /** The editor starts with the last answer, quoted. */
  readonly quote: boolean
  readonly schema: JsonSchema | undefined
  /** Undefined: the editor opens when there is no message and somebody to write one. */
  readonly edit: boolean | undefined
  /** Make the conversation shorter first; empty for the configured rules. */
  readonly compact: string | undefined
  readonly there: boolean
  readonly showReasoning: boolean
  readonly showToolCalls: boolean
  readonly allowDenied: boolean
  /** Paths outside the checkout that tools may use, from here on. */
  readonly mounts: readonly Mount[]
  /** As typed. */
  readonly attachments: readonly string[]
  /** `--tool` and `--no-tools`, in the order in which they stand. */
  readonly toolFlags: readonly ToolFlag[]
  /** Configuration for this turn, in the spelling of `--cfg`: `--cfg` itself, then what the other flags mean. */
  readonly cfg: readonly string[]
}
