import {readdirSync, utimesSync} from 'node:fs'
import {basename, join} from 'node:path'
import {hasCode} from '../errors/jp-error.js'
import {readFailure} from '../platform/file-errors.js'
import {makeDirectory, readBytes, writeAtomic} from '../platform/files.js'
import {isTaken, publishFolder} from '../platform/folders.js'
import {readMetadataText, readStreamBytes} from './conversation.js'
import {type ConversationRoot, type Copy, readShelf, shelfOf} from './conversation-roots.js'
import {checkEvents} from './events-text.js'
import {localMetadataName} from './local-metadata.js'
import {type Located, weigh} from './located.js'
import {parseMetadata} from './metadata.js'
import {stampOf} from './units.js'

/**
 * Copies a conversation that came with the checkout into the user-local store, the whole folder (facts 2.7). The
 * modification times go along: a copy must not win because it is younger. A machine-local record in a checkout is
 * somebody else's and stays there (S22).
 * @returns true when something was copied.
 * @throws JpError `disk_full`, `file_unwritable`, `file_unreadable`.
 */
export const importIntoSilo = (roots: readonly ConversationRoot[], located: Pick<Located, 'copies'>): boolean => {
  const silo = roots.find((root) => root.place === 'silo')
  const copies = located.copies.map(({copy}) => copy)
  const [source] = copies
  if (silo === undefined || source === undefined || copies.some((copy) => copy.root.place === 'silo')) return false
  return importCopy(silo, source)
}

const importCopy = (silo: ConversationRoot, source: Copy): boolean => {
  const target = join(shelfOf(silo, source.archived), basename(source.directory))
  if (isTaken(target)) return false
  makeDirectory(shelfOf(silo, false), 'user')
  try {
    publishFolder(target, 'user', (folder) => copyFolder(source.directory, folder))
  } catch (error) {
    // Another run has imported it meanwhile.
    if (hasCode(error, 'file_unwritable') && isTaken(target)) return false
    throw error
  }
  return true
}

/** Regular files and folders; links and special files stay behind (W32). */
const copyFolder = (from: string, to: string): void => {
  for (const entry of entriesOf(from)) {
    if (entry.name === localMetadataName || entry.name.endsWith('.tmp')) continue
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) {
      makeDirectory(target, 'user')
      copyFolder(source, target)
    } else if (entry.isFile()) copyFile(source, target)
  }
}

const entriesOf = (path: string) => {
  try {
    return readdirSync(path, {withFileTypes: true})
  } catch (error) {
    throw readFailure(path, error)
  }
}

const copyFile = (source: string, target: string): void => {
  // Stamped before it is read: when it changes in between, the copy is the older one.
  const stamp = stampOf(source)
  writeAtomic(target, readBytes(source, {noFollow: true}), 'user')
  if (stamp !== undefined) utimesSync(target, stamp.mtimeMs / 1000, stamp.mtimeMs / 1000)
}

/**
 * Imports every conversation that only the checkout holds, live and archived: what a run that loads a workspace does.
 * One that can't be read is left for `jp doctor`; the answer counts those that were copied.
 * @throws JpError `disk_full`, `file_unwritable`.
 */
export const importAll = (roots: readonly ConversationRoot[]): number => {
  const silo = roots.find((root) => root.place === 'silo')
  const checkout = roots.find((root) => root.place === 'checkout')
  if (silo === undefined || checkout === undefined) return 0
  const known = new Set([false, true].flatMap((archived) => readShelf(silo, archived).copies.map(({id}) => id)))
  const missing = [false, true].flatMap((archived) =>
    readShelf(checkout, archived).copies.filter(({id}) => !known.has(id)),
  )
  return missing.filter((copy) => isReadable(copy) && importReadable(silo, copy)).length
}

/** A damaged conversation stays where it is, and is reported from there (W20). */
const isReadable = (copy: Copy): boolean => unlessUnreadable(() => checkCopy(copy))

const importReadable = (silo: ConversationRoot, copy: Copy): boolean => unlessUnreadable(() => importCopy(silo, copy))

const checkCopy = (copy: Copy): boolean => {
  const located = weigh(copy.id, [copy])
  const {text, path} = readMetadataText(located)
  parseMetadata(text, path)
  const stream = readStreamBytes(located)
  checkEvents(stream.events, stream.path)
  return true
}

const unlessUnreadable = (act: () => boolean): boolean => {
  try {
    return act()
  } catch (error) {
    if (hasCode(error, 'conversation_corrupt', 'file_unreadable', 'file_refused', 'file_not_found')) return false
    throw error
  }
}
