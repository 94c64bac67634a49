import {join} from 'node:path'
import {makeDirectory, removeFile, syncDirectory, writeAtomicIfChanged, writeUnpublished} from '../platform/files.js'
import {isTaken, moveFolder, publishFolder} from '../platform/folders.js'
import {type ConversationRoot, type Copy, shelfOf} from './conversation-roots.js'
import {setAside} from './trash.js'

/** The bytes of one state of a conversation: what goes into each copy. */
export type ManagedBytes = {
  readonly metadata: string
  readonly baseConfig: Buffer | undefined
  readonly events: Buffer
}

/**
 * Writes the managed files of one copy and nothing else (S22), in the order of facts 2.2; bytes that are there already
 * keep their mtime.
 */
export const writeManaged = (directory: string, root: ConversationRoot, bytes: ManagedBytes): void => {
  writeAtomicIfChanged(join(directory, 'metadata.json'), bytes.metadata, root.audience)
  if (bytes.baseConfig === undefined) removeBaseConfig(directory)
  else writeAtomicIfChanged(join(directory, 'base_config.json'), bytes.baseConfig, root.audience)
  writeAtomicIfChanged(join(directory, 'events.json'), bytes.events, root.audience)
}

/** A base configuration of another stream must not stand beside this one (facts 12.2). */
const removeBaseConfig = (directory: string): void => {
  const path = join(directory, 'base_config.json')
  if (!isTaken(path)) return
  removeFile(path)
  syncDirectory(directory)
}

/** Makes a copy in a root that has none; it appears whole. */
export const publishCopy = (
  root: ConversationRoot,
  place: {readonly archived: boolean; readonly name: string},
  bytes: ManagedBytes,
): void => {
  makeDirectory(shelfOf(root, false), root.audience)
  const directory = join(shelfOf(root, place.archived), place.name)
  publishFolder(directory, root.audience, (folder) => {
    const write = (name: string, content: string | Buffer): void =>
      writeUnpublished(join(folder, name), content, root.audience)
    write('metadata.json', bytes.metadata)
    if (bytes.baseConfig !== undefined) write('base_config.json', bytes.baseConfig)
    write('events.json', bytes.events)
  })
}

/** Renames a copy whole (S23). What occupies the place is a stray copy of the same conversation: it is set aside. */
export const moveCopy = (copy: Copy, to: {archived: boolean; name: string}, nowIso: () => string): void => {
  const target = join(shelfOf(copy.root, to.archived), to.name)
  if (target === copy.directory) return
  if (isTaken(target))
    setAside(copy.root, target, {reason: `Another folder of ${copy.id} took its place.`, nowIso: nowIso()})
  moveFolder(copy.directory, target, copy.root.audience)
}
