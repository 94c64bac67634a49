import {unlinkSync} from 'node:fs'
import {basename, join} from 'node:path'
import {isMissing, writeFailure} from '../platform/file-errors.js'
import {makeDirectory, syncDirectory, writeAtomicIfChanged} from '../platform/files.js'
import {isTaken, moveFolder, publishFolder} from '../platform/folders.js'
import type {ConversationId} from '../platform/id-grammar.js'
import {readMetadataText, readStreamBytes, type StreamBytes} from './conversation.js'
import {type ConversationRoot, type Copy, shelfOf} from './conversation-roots.js'
import {directoryNameOf} from './directory-name.js'
import {appendElements, checkEvents} from './events-text.js'
import {importIntoSilo} from './importing.js'
import {type Located, locate, notFound, unitCopy} from './located.js'
import {type KeyChange, metadataKeys, parseMetadata} from './metadata.js'
import {withMember} from './object-text.js'
import {setAside} from './trash.js'
import type {FileStamp, StampedCopy} from './units.js'

/** What one locked write changes. */
export type Change = {
  readonly metadata?: readonly KeyChange[]
  /** Elements to append, as `eventText` writes them. */
  readonly events?: readonly string[]
  /** Where the conversation shall lie afterwards. */
  readonly archived?: boolean
}

/** The bytes of one state of a conversation: what goes into each copy. */
export type ManagedBytes = {
  readonly metadata: string
  readonly baseConfig: Buffer | undefined
  readonly events: Buffer
}

/** The bytes of the stream that the last write of this lock left or read; spares parsing them again. */
export type StreamMemory = {path: string; stamp: FileStamp; bytes: StreamBytes} | undefined

/** Writes of one conversation under its lock. */
export interface Persistence {
  /**
   * Applies a change to every copy, the durable one first (W17, W18). When it returns, the durable copy is on the disk.
   * @throws JpError `conversation_not_found`, `conversation_corrupt`, `disk_full`, `file_unwritable`.
   */
  apply(change: Change): void
}

/** Creates the writer of a conversation. The caller holds its lock. */
export const createPersistence = (
  roots: readonly ConversationRoot[],
  id: ConversationId,
  nowIso: () => string,
): Persistence => {
  let memory: StreamMemory
  return {
    apply(change) {
      const located = locateDurably(roots, id)
      const current = readCurrent(located, memory)
      const next = changed(current, change)
      const archived = change.archived ?? unitCopy(located, 'metadata').copy.archived
      const title = parseMetadata(next.metadata, 'metadata.json').title
      for (const copy of targets(roots, located)) {
        writeManaged(copy.directory, copy.root, next)
        const name = change.metadata?.some(([key]) => key === 'title') === true ? directoryNameOf(id, title) : undefined
        moveCopy(copy, {archived, name: name ?? basename(copy.directory)}, nowIso)
      }
      memory = remember(locate(roots, id), next)
    },
  }
}

/** The conversation with a copy in the user-local store: one that only the checkout holds is imported first. */
const locateDurably = (roots: readonly ConversationRoot[], id: ConversationId): Located => {
  const located = locate(roots, id)
  if (located === undefined) throw notFound(id)
  return importIntoSilo(roots, located) ? (locate(roots, id) ?? located) : located
}

const readCurrent = (located: Located, memory: StreamMemory): ManagedBytes => {
  const file = readMetadataText(located)
  parseMetadata(file.text, file.path)
  const stream = recall(located, memory) ?? readChecked(located)
  return {metadata: file.text, baseConfig: stream.baseConfig, events: stream.events}
}

const recall = (located: Located, memory: StreamMemory): StreamBytes | undefined => {
  const {copy, stamps} = unitCopy(located, 'stream')
  const stamp = stamps['events.json']
  const isSame =
    memory !== undefined &&
    stamp !== undefined &&
    memory.path === join(copy.directory, 'events.json') &&
    (['mtimeMs', 'ctimeMs', 'size', 'ino'] as const).every((field) => memory.stamp[field] === stamp[field])
  return isSame ? memory.bytes : undefined
}

/** A damaged stream is never copied over a sound one. */
const readChecked = (located: Located): StreamBytes => {
  const stream = readStreamBytes(located)
  checkEvents(stream.events, stream.path)
  return stream
}

const remember = (located: Located | undefined, next: ManagedBytes): StreamMemory => {
  const copy = located?.units.stream
  const stamp = copy?.stamps['events.json']
  if (copy === undefined || stamp === undefined || stamp.size !== next.events.length) return undefined
  const path = join(copy.copy.directory, 'events.json')
  return {path, stamp, bytes: {events: next.events, baseConfig: next.baseConfig, path}}
}

const changed = (current: ManagedBytes, change: Change): ManagedBytes => ({
  metadata: (change.metadata ?? []).reduce(
    (text, [key, value]) => withMember(text, key, value, metadataKeys),
    current.metadata,
  ),
  baseConfig: current.baseConfig,
  events: appendElements(current.events, change.events ?? []),
})

/** One copy a root, the durable root first. Where a root holds two, the one that its units are read from. */
const targets = (roots: readonly ConversationRoot[], located: Located): readonly Copy[] =>
  roots.flatMap((root) => {
    const copies = located.copies.filter(({copy}) => copy.root.place === root.place)
    const {metadata, stream} = located.units
    const isRead = (copy: StampedCopy): boolean => copy === metadata || copy === stream
    return (copies.find(isRead) ?? copies[0])?.copy ?? []
  })

/**
 * Writes the managed files of one copy and nothing else (S22), in the order of facts 2.2; bytes that are there already
 * keep their mtime.
 */
export const writeManaged = (directory: string, root: ConversationRoot, bytes: ManagedBytes): void => {
  writeAtomicIfChanged(join(directory, 'metadata.json'), bytes.metadata, root.audience)
  if (bytes.baseConfig === undefined) removeFile(join(directory, 'base_config.json'))
  else writeAtomicIfChanged(join(directory, 'base_config.json'), bytes.baseConfig, root.audience)
  writeAtomicIfChanged(join(directory, 'events.json'), bytes.events, root.audience)
}

/** A base configuration of another stream must not stand beside this one (facts 12.2). */
const removeFile = (path: string): void => {
  try {
    unlinkSync(path)
    syncDirectory(join(path, '..'))
  } catch (error) {
    if (!isMissing(error)) throw writeFailure(path, error)
  }
}

/** Makes a copy in a root that has none; it appears whole. */
export const publishCopy = (
  root: ConversationRoot,
  place: {readonly archived: boolean; readonly name: string},
  bytes: ManagedBytes,
): void => {
  makeDirectory(shelfOf(root, false), root.audience)
  const directory = join(shelfOf(root, place.archived), place.name)
  publishFolder(directory, root.audience, (folder) => writeManaged(folder, root, bytes))
}

/** Renames a copy whole (S23). What occupies the place is a stray copy of the same conversation: it is set aside. */
const moveCopy = (copy: Copy, to: {archived: boolean; name: string}, nowIso: () => string): void => {
  const target = join(shelfOf(copy.root, to.archived), to.name)
  if (target === copy.directory) return
  if (isTaken(target))
    setAside(copy.root, target, {reason: `Another folder of ${copy.id} took its place.`, nowIso: nowIso()})
  moveFolder(copy.directory, target, copy.root.audience)
}
