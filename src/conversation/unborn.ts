import {type ConversationId, decisecondsOf} from '../platform/id-grammar.js'
import type {Conversation} from './conversation.js'
import {emptyEvents, eventsOf, parseEvents} from './events-text.js'
import type {ManagedBytes} from './managed-files.js'
import {keyChanges, type MetadataChange, metadataKeys, parseMetadata} from './metadata.js'
import {withMember} from './object-text.js'

/** A conversation that is on no disk yet. */
export type Unborn = {
  readonly bytes: ManagedBytes
  /** Keep it out of the checkout. */
  readonly isLocal: boolean
}

/** The text of a `metadata.json` with a change made to it. */
export const changedText = (text: string, change: MetadataChange): string =>
  keyChanges(change).reduce((changed, [key, value]) => withMember(changed, key, value, metadataKeys), text)

/** A conversation that is on no disk yet, as a reader would see it. */
export const unbornConversation = (id: ConversationId, {bytes, isLocal}: Unborn): Conversation => {
  const metadata = parseMetadata(bytes.metadata, 'metadata.json')
  return {
    id,
    title: metadata.title,
    metadata,
    baseConfig: bytes.baseConfig === undefined ? undefined : JSON.parse(bytes.baseConfig.toString('utf8')),
    events: parseEvents(bytes.events, 'events.json'),
    archived: false,
    presence: isLocal ? 'user-local' : 'projected',
  }
}

/** What a new conversation starts with. */
export type NewConversation = {
  /** The first id to try, when it was promised to somebody; the present time when absent. */
  readonly id?: ConversationId | undefined
  readonly title?: string | undefined
  /** Keep it out of the checkout. */
  readonly local?: boolean | undefined
  /** How long after its creation it may go (facts 2.9). */
  readonly expiresInMs?: number | undefined
  readonly labels?: Readonly<Record<string, string>> | undefined
  /** The resolved configuration at creation, as a partial (facts 2.4). */
  readonly baseConfig?: object | undefined
  /** What a fork takes from its original: elements and configuration, as its files spell them. */
  readonly seed?: {readonly events: readonly string[]; readonly baseConfig: Buffer | undefined} | undefined
}

/** The bytes of a new conversation with this id. */
export const unbornOf = (options: NewConversation, id: ConversationId, nowMs: number): Unborn => ({
  isLocal: options.local ?? false,
  bytes: {
    metadata: changedText('{}\n', {
      lastActivatedAtMs: nowMs,
      ...(options.title === undefined ? {} : {title: options.title}),
      ...(options.expiresInMs === undefined ? {} : {expiresAtMs: decisecondsOf(id) * 100 + options.expiresInMs}),
      ...(options.labels === undefined ? {} : {labels: options.labels}),
    }),
    baseConfig: options.seed === undefined ? configBytes(options.baseConfig) : options.seed.baseConfig,
    events: options.seed === undefined ? emptyEvents : eventsOf(options.seed.events),
  },
})

const configBytes = (config: object | undefined): Buffer | undefined =>
  config === undefined ? undefined : Buffer.from(`${JSON.stringify(config, undefined, 2)}\n`)
