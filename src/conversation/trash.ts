import {basename, join} from 'node:path'
import {createAtomic, makeDirectory, readBytes, writeAtomic} from '../platform/files.js'
import {isTaken, moveFolder} from '../platform/folders.js'
import type {ConversationRoot, Copy} from './conversation-roots.js'
import {type ManagedFile, stampOf} from './units.js'

/** The folder that holds what was set aside. */
export const trashOf = (root: ConversationRoot): string => join(root.base, 'conversations', '.trash')

/**
 * Moves a folder to `.trash/<name>[-N]` of its root, with a note beside its files that says why (facts 2.8). Nothing is
 * deleted.
 * @returns where it is now.
 * @throws JpError `disk_full`, `file_unwritable`.
 */
export const setAside = (root: ConversationRoot, directory: string, note: {reason: string; nowIso: string}): string => {
  const target = freePath(join(trashOf(root), basename(directory)))
  moveFolder(directory, target, root.audience)
  writeAtomic(join(target, 'TRASHED.md'), `# Set aside by jp\n\n${note.reason}\n\n${note.nowIso}\n`, root.audience)
  return target
}

const freePath = (path: string): string => {
  if (!isTaken(path)) return path
  for (let number = 1; ; number++) if (!isTaken(`${path}-${number}`)) return `${path}-${number}`
}

/**
 * Puts a copy of a file as it is into the trash, beside its conversation's name. Earlier ones are not overwritten.
 * @returns where it is; undefined when there is no such file.
 * @throws JpError `disk_full`, `file_unwritable`.
 */
export const keepFile = (copy: Copy, file: ManagedFile): string | undefined => {
  const source = join(copy.directory, file)
  if (stampOf(source) === undefined) return undefined
  const folder = join(trashOf(copy.root), basename(copy.directory))
  makeDirectory(folder, copy.root.audience)
  const bytes = readBytes(source, {noFollow: true})
  for (let number = 0; ; number++) {
    const path = join(folder, number === 0 ? file : `${file}.${number}`)
    if (createAtomic(path, bytes, copy.root.audience)) return path
  }
}
