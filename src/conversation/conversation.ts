import {join, sep} from 'node:path'
import {JpError} from '../errors/jp-error.js'
import {readBytes, readText} from '../platform/files.js'
import type {ConversationId} from '../platform/id-grammar.js'
import {canParse, largestParsedBytes} from '../platform/memory.js'
import type {Copy} from './conversation-roots.js'
import {corruptFile, jsonReason} from './corruption.js'
import type {StoredEvent} from './event.js'
import {readEvents} from './events-file.js'
import {parseEvents} from './events-text.js'
import {type LastRoot, readLastRoot} from './local-metadata.js'
import {type Located, readSettled, unitCopy, type View} from './located.js'
import {type ConversationMetadata, parseMetadata} from './metadata.js'
import {type Presence, presenceOfCopies, type StampedCopy} from './units.js'

/** A conversation as it stands in a checkout's view. */
export type Conversation = {
  readonly id: ConversationId
  readonly title: string | undefined
  readonly metadata: ConversationMetadata
  /** The configuration at its creation, as stored; undefined when none is. */
  readonly baseConfig: unknown
  /** Every element of the stream, those of unknown types and configuration deltas included. */
  readonly events: readonly StoredEvent[]
  readonly archived: boolean
  readonly presence: Presence
  /** Where it last ran; absent when no turn has recorded it (S26). */
  readonly lastRoot?: LastRoot
}

/** The largest `metadata.json` that is read. Unit: bytes. */
const maxMetadataBytes = 4 * 1024 * 1024

/** @throws JpError `conversation_corrupt`, `file_unreadable`, `file_refused`, `file_not_found` (moved meanwhile). */
export const readMetadataText = (located: Located): MetadataText => readMetadataOf(unitCopy(located, 'metadata').copy)

/** The text of a `metadata.json`, unparsed, and where it lies. */
export type MetadataText = {readonly text: string; readonly path: string}

/** As {@link readMetadataText}, of a copy that was chosen. */
export const readMetadataOf = ({directory}: Copy): MetadataText => {
  const path = `${directory}${sep}metadata.json`
  try {
    return {text: readText(path, {maxBytes: maxMetadataBytes, noFollow: true}), path}
  } catch (error) {
    if (error instanceof JpError && error.code === 'file_corrupt') throw corruptFile(path, 'it is not UTF-8', error)
    throw error
  }
}

/** The bytes of the stream unit, both files from one copy. */
export type StreamBytes = {readonly events: Buffer; readonly baseConfig: Buffer | undefined; readonly path: string}

/** As {@link readMetadataText}, for the stream; also `conversation_too_large`. */
export const readStreamBytes = (located: Located): StreamBytes => {
  const {copy, stamps} = unitCopy(located, 'stream')
  const base = join(copy.directory, 'base_config.json')
  const path = join(copy.directory, 'events.json')
  assertHoldable(located.id, stamps['events.json']?.size ?? 0)
  return {
    baseConfig: stamps['base_config.json'] === undefined ? undefined : readBytes(base, {noFollow: true}),
    events: readBytes(path, {noFollow: true}),
    path,
  }
}

/** A stream that would burst the memory is refused before it is read; listing, printing and searching hold a piece of it. */
const assertHoldable = (id: ConversationId, size: number): void => {
  if (canParse(size)) return
  const megabytes = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MB`
  throw new JpError('conversation_too_large', `Conversation ${id} is too large to go on with: ${megabytes(size)}.`, {
    hint: `This process can hold ${megabytes(largestParsedBytes())}. Give it more (NODE_OPTIONS=--max-old-space-size=8192), or go on in a new conversation.`,
  })
}

/** @throws JpError `conversation_corrupt` when it is not JSON. */
export const parseBaseConfig = (bytes: Buffer | undefined, directory: string): unknown => {
  if (bytes === undefined) return undefined
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch (error) {
    throw corruptFile(join(directory, 'base_config.json'), jsonReason(error), error)
  }
}

/**
 * Reads a conversation whole.
 * @throws JpError `conversation_not_found`, `conversation_corrupt`, `file_unreadable`, `file_refused`.
 */
export const readConversation = (view: View, id: ConversationId): Conversation =>
  readSettled(view.roots, id, (located) => {
    const metadataFile = readMetadataText(located)
    const stream = readStreamBytes(located)
    const metadata = parseMetadata(metadataFile.text, metadataFile.path)
    const directory = unitCopy(located, 'stream').copy.directory
    return {
      ...summaryOf(view, located, metadata),
      baseConfig: parseBaseConfig(stream.baseConfig, directory),
      events: parseEvents(stream.events, stream.path),
    }
  })

/** A conversation without its stream. */
export type ConversationSummary = Omit<Conversation, 'baseConfig' | 'events'>

/** A conversation whose events are taken one at a time. */
export type ConversationStream = ConversationSummary & {
  /**
   * Every event from the first on, at each call. A stream of usual size is proven whole before the first is given.
   * @throws JpError `conversation_corrupt`, for a large stream when the damage is reached.
   */
  events(): Iterable<StoredEvent>
}

/** As {@link readConversation}, holding one piece of a large stream at a time. */
export const openStream = (view: View, id: ConversationId): ConversationStream =>
  readSettled(view.roots, id, (located) => {
    const file = readMetadataText(located)
    unitCopy(located, 'stream')
    return {
      ...summaryOf(view, located, parseMetadata(file.text, file.path)),
      events: () => readSettled(view.roots, id, (now) => eventsOfCopy(unitCopy(now, 'stream'))),
    }
  })

const eventsOfCopy = ({copy, stamps}: StampedCopy): Iterable<StoredEvent> =>
  readEvents(join(copy.directory, 'events.json'), stamps['events.json']?.size ?? 0)

/** Where a conversation lies on this machine. */
export type ConversationPaths = {
  /** Its user-local folder, or the one in the checkout where there is no other. */
  readonly directory: string
  /** The file that each unit is read from. */
  readonly metadata: string
  readonly events: string
  readonly baseConfig: string | undefined
}

/** @throws JpError `conversation_not_found`, `conversation_corrupt`. */
export const pathsOf = (view: View, id: ConversationId): ConversationPaths =>
  readSettled(view.roots, id, (located) => {
    const stream = unitCopy(located, 'stream')
    const hasBase = stream.stamps['base_config.json'] !== undefined
    return {
      directory: located.copies[0]?.copy.directory ?? stream.copy.directory,
      metadata: `${unitCopy(located, 'metadata').copy.directory}${sep}metadata.json`,
      events: join(stream.copy.directory, 'events.json'),
      baseConfig: hasBase ? join(stream.copy.directory, 'base_config.json') : undefined,
    }
  })

/** What is known of a conversation without its stream. */
export const summaryOf = (view: View, located: Located, metadata: ConversationMetadata): ConversationSummary => {
  const lastRoot = lastRootOf(view, located)
  return {
    id: located.id,
    title: metadata.title,
    metadata,
    archived: unitCopy(located, 'metadata').copy.archived,
    presence: presenceOfCopies(located.copies.map(({copy}) => copy)),
    ...(lastRoot === undefined ? {} : {lastRoot}),
  }
}

/** The record of where it last ran, from the user-local copy, with its liveness (S24, S25). */
export const lastRootOf = (view: View, located: Located): LastRoot | undefined => {
  const own = located.copies.find(({copy}) => copy.root.place === 'silo')
  const record = own === undefined ? undefined : readLastRoot(own.copy.directory)
  return record === undefined ? undefined : {...record, live: view.isLive(record.path)}
}
