import {join} from 'node:path'
import {JpError} from '../errors/jp-error.js'
import {readBytes, readText} from '../platform/files.js'
import type {ConversationId} from '../platform/id-grammar.js'
import {type ConversationRoot, type Copy, copiesOf, type Place} from './conversation-roots.js'
import {corruptFile, jsonReason} from './corruption.js'
import type {StoredEvent} from './event.js'
import {parseEvents} from './events-text.js'
import {type LastRoot, readLastRoot} from './local-metadata.js'
import {type ConversationMetadata, parseMetadata} from './metadata.js'
import {chooseUnits, type Presence, presenceOf, type StampedCopy, stampCopy, type Units} from './units.js'

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

/** What reading needs to know. */
export type View = {
  readonly roots: readonly ConversationRoot[]
  /** Whether a checkout of this workspace is there now (S24). */
  isLive(root: string): boolean
}

/** A conversation's copies, looked at and weighed, unread. */
export type Located = {
  readonly id: ConversationId
  readonly copies: readonly StampedCopy[]
  readonly units: Units
}

/** Looks for a conversation; undefined when no root holds it. */
export const locate = (roots: readonly ConversationRoot[], id: ConversationId): Located | undefined => {
  const copies = copiesOf(roots, id)
  return copies.length === 0 ? undefined : weigh(id, copies)
}

/** Stamps and weighs copies that were found. */
export const weigh = (id: ConversationId, copies: readonly Copy[]): Located => {
  const stamped = copies.map(stampCopy)
  return {id, copies: stamped, units: chooseUnits(stamped)}
}

/** The largest `metadata.json` that is read. Unit: bytes. */
const maxMetadataBytes = 4 * 1024 * 1024

/** The copies that were found vanish when a writer moves their folder; then they are looked for again. */
const attempts = 5

/** Runs a read of a conversation, again when its folder was renamed meanwhile. */
export const readSettled = <Result>(
  roots: readonly ConversationRoot[],
  id: ConversationId,
  read: (located: Located) => Result,
): Result => {
  for (let attempt = 1; ; attempt++) {
    const located = locate(roots, id)
    if (located === undefined) throw notFound(id)
    try {
      return read(located)
    } catch (error) {
      if (attempt === attempts || !(error instanceof JpError) || !mayBeMoving(error)) throw error
    }
  }
}

const mayBeMoving = (error: JpError): boolean =>
  error.code === 'file_not_found' || (error.code === 'conversation_corrupt' && error.details['missing'] === true)

/** The error for an id that names nothing here. */
export const notFound = (id: ConversationId): JpError =>
  new JpError('conversation_not_found', `There is no conversation ${id} in this workspace.`, {
    hint: 'See "jp conversation ls", or "jp conversation ls --archived".',
  })

/** The copy that holds a unit; the error says which file is missing. */
export const unitCopy = (located: Located, unit: keyof Units): StampedCopy => {
  const copy = located.units[unit]
  if (copy !== undefined) return copy
  const file = unit === 'metadata' ? 'metadata.json' : 'events.json'
  const directory = located.copies[0]?.copy.directory ?? ''
  throw new JpError('conversation_corrupt', `${join(directory, file)}: there is no such file.`, {
    hint: 'Nothing was changed. "jp doctor" shows what is there.',
    details: {missing: true},
  })
}

/** @throws JpError `conversation_corrupt`, `file_unreadable`, `file_refused`, `file_not_found` (moved meanwhile). */
export const readMetadataText = (located: Located): {text: string; path: string} => {
  const path = join(unitCopy(located, 'metadata').copy.directory, 'metadata.json')
  try {
    return {text: readText(path, {maxBytes: maxMetadataBytes, noFollow: true}), path}
  } catch (error) {
    if (error instanceof JpError && error.code === 'file_corrupt') throw corruptFile(path, 'it is not UTF-8', error)
    throw error
  }
}

/** The bytes of the stream unit, both files from one copy. */
export type StreamBytes = {readonly events: Buffer; readonly baseConfig: Buffer | undefined; readonly path: string}

/** As {@link readMetadataText}, for the stream. */
export const readStreamBytes = (located: Located): StreamBytes => {
  const {copy, stamps} = unitCopy(located, 'stream')
  const base = join(copy.directory, 'base_config.json')
  const path = join(copy.directory, 'events.json')
  return {
    baseConfig: stamps['base_config.json'] === undefined ? undefined : readBytes(base, {noFollow: true}),
    events: readBytes(path, {noFollow: true}),
    path,
  }
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

/** What is known of a conversation without its stream. */
export const summaryOf = (
  view: View,
  located: Located,
  metadata: ConversationMetadata,
): Omit<Conversation, 'baseConfig' | 'events'> => {
  const lastRoot = lastRootOf(view, located)
  return {
    id: located.id,
    title: metadata.title,
    metadata,
    archived: unitCopy(located, 'metadata').copy.archived,
    presence: presenceOf(placesOf(located)),
    ...(lastRoot === undefined ? {} : {lastRoot}),
  }
}

/** Where a conversation's copies are. */
export const placesOf = (located: Located): ReadonlySet<Place> =>
  new Set(located.copies.map(({copy}) => copy.root.place))

/** The record of where it last ran, from the user-local copy, with its liveness (S24, S25). */
export const lastRootOf = (view: View, located: Located): LastRoot | undefined => {
  const own = located.copies.find(({copy}) => copy.root.place === 'silo')
  const record = own === undefined ? undefined : readLastRoot(own.copy.directory)
  return record === undefined ? undefined : {...record, live: view.isLive(record.path)}
}
