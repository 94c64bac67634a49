import {basename, join} from 'node:path'
import {removeFolder} from '../platform/folders.js'
import type {ConversationId} from '../platform/id-grammar.js'
import {readMetadataText, readStreamBytes, type StreamBytes} from './conversation.js'
import type {ConversationRoot, Copy} from './conversation-roots.js'
import {directoryNameOf} from './directory-name.js'
import {appendElements, checkEvents} from './events-text.js'
import {importIntoSilo} from './importing.js'
import {type Located, locate, notFound, unitCopy} from './located.js'
import {type ManagedBytes, moveCopy, publishCopy, writeManaged} from './managed-files.js'
import {type KeyChange, metadataKeys, parseMetadata} from './metadata.js'
import {withMember} from './object-text.js'
import {keepOvertaken} from './overtaken.js'
import type {FileStamp, StampedCopy} from './units.js'

/** What one locked write changes. */
export type Change = {
  readonly metadata?: readonly KeyChange[]
  /** Elements to append, as `eventText` writes them. */
  readonly events?: readonly string[]
  /** Where the conversation shall lie afterwards. */
  readonly archived?: boolean
  /** Whole files by hand (S22): they have been checked. */
  readonly replace?: Partial<ManagedBytes>
  /** True takes it out of the checkout, false puts a copy there. */
  readonly isLocal?: boolean
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

/** What the writer of a conversation stands on. */
export type PersistenceDeps = {
  readonly roots: readonly ConversationRoot[]
  readonly id: ConversationId
  nowIso(this: void): string
  /** Told what a person should know of a write. */
  warn(this: void, text: string): void
}

/** Creates the writer of a conversation. The caller holds its lock. */
export const createPersistence = ({roots, id, nowIso, warn}: PersistenceDeps): Persistence => {
  let memory: StreamMemory
  return {
    apply(change) {
      const located = locateDurably(roots, id)
      const current = readCurrent(located, memory, warn)
      const next = changed(current, change)
      const archived = change.archived ?? unitCopy(located, 'metadata').copy.archived
      const title = parseMetadata(next.metadata, 'metadata.json').title
      const isRenamed = change.replace !== undefined || change.metadata?.some(([key]) => key === 'title') === true
      for (const copy of targets(roots, located)) {
        writeManaged(copy.directory, copy.root, next)
        moveCopy(copy, {archived, name: isRenamed ? directoryNameOf(id, title) : basename(copy.directory)}, nowIso)
      }
      if (change.isLocal !== undefined) changePresence(roots, id, {isLocal: change.isLocal, bytes: next, archived})
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

const readCurrent = (located: Located, memory: StreamMemory, warn: PersistenceDeps['warn']): ManagedBytes => {
  const file = readMetadataText(located)
  parseMetadata(file.text, file.path)
  const stream = recall(located, memory) ?? readChecked(located, warn)
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

/** A damaged stream is never copied over a sound one, and what a sound one lacks is not lost. */
const readChecked = (located: Located, warn: PersistenceDeps['warn']): StreamBytes => {
  const stream = readStreamBytes(located)
  checkEvents(stream.events, stream.path)
  const kept = keepOvertaken(located, stream)
  if (kept !== undefined)
    warn(`${stream.path} is newer than the user-local copy and lacks events that it held. They are kept in ${kept}`)
  return stream
}

const remember = (located: Located | undefined, next: ManagedBytes): StreamMemory => {
  const copy = located?.units.stream
  const stamp = copy?.stamps['events.json']
  if (copy === undefined || stamp === undefined || stamp.size !== next.events.length) return undefined
  const path = join(copy.copy.directory, 'events.json')
  return {path, stamp, bytes: {events: next.events, baseConfig: next.baseConfig, path}}
}

const changed = (current: ManagedBytes, change: Change): ManagedBytes => {
  const base = {...current, ...change.replace}
  return {
    metadata: (change.metadata ?? []).reduce(
      (text, [key, value]) => withMember(text, key, value, metadataKeys),
      base.metadata,
    ),
    baseConfig: base.baseConfig,
    events: appendElements(base.events, change.events ?? []),
  }
}

/** Takes a conversation out of the checkout, once the durable copy is whole, or puts a copy there (facts 2.7). */
const changePresence = (
  roots: readonly ConversationRoot[],
  id: ConversationId,
  to: {readonly isLocal: boolean; readonly bytes: ManagedBytes; readonly archived: boolean},
): void => {
  const checkout = roots.find((root) => root.place === 'checkout')
  const copies = locate(roots, id)?.copies.map(({copy}) => copy) ?? []
  const durable = copies.find((copy) => copy.root.place === 'silo')
  if (checkout === undefined || durable === undefined) return
  const projected = copies.filter((copy) => copy.root.place === 'checkout')
  if (to.isLocal) for (const copy of projected) removeFolder(copy.directory)
  else if (projected.length === 0)
    publishCopy(checkout, {archived: to.archived, name: basename(durable.directory)}, to.bytes)
}

/** One copy a root, the durable root first. Where a root holds two, the one that its units are read from. */
const targets = (roots: readonly ConversationRoot[], located: Located): readonly Copy[] =>
  roots.flatMap((root) => {
    const copies = located.copies.filter(({copy}) => copy.root.place === root.place)
    const {metadata, stream} = located.units
    const isRead = (copy: StampedCopy): boolean => copy === metadata || copy === stream
    return (copies.find(isRead) ?? copies[0])?.copy ?? []
  })
