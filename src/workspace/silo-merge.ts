import {lstatSync, renameSync, rmdirSync, statSync} from 'node:fs'
import {basename, join} from 'node:path'
import {writeFailure} from '../platform/file-errors.js'
import {listEntries, makeDirectory} from '../platform/files.js'
import {isLocked} from '../platform/lock.js'

/**
 * Merges one store of a workspace into another and removes it (facts 1.6): of a conversation that both hold the newer
 * copy stays and the other goes to `.trash/`; what only one holds is moved. Nothing is deleted but empty folders. A
 * store whose conversations are in use is left for the next run, and so is `storage`, which is migrated, not moved.
 * @returns whether the store is gone.
 * @throws JpError `disk_full`, `file_unwritable`.
 */
export const mergeSilos = (from: string, into: string): boolean => {
  if (listEntries(join(from, 'locks')).some(({name}) => isLocked(join(from, 'locks', name)))) return false
  for (const shelf of ['conversations', join('conversations', '.archive')])
    mergeShelf(join(from, shelf), join(into, shelf), into)
  mergeTree(from, into, `from-${basename(from)}`)
  return removeIfEmpty(from)
}

/** One folder of conversations: they are told apart by the number that their names begin with, not by their titles. */
const mergeShelf = (from: string, into: string, silo: string): void => {
  for (const entry of listEntries(from)) {
    if (!entry.isDirectory() || entry.name.startsWith('.')) continue
    const incoming = join(from, entry.name)
    const own = listEntries(into).find(({name}) => numberOf(name) === numberOf(entry.name))
    const rival = own === undefined ? undefined : join(into, own.name)
    if (rival === undefined) move(incoming, join(into, entry.name))
    else if (newestIn(incoming) > newestIn(rival)) {
      discard(rival, silo)
      move(incoming, join(into, entry.name))
    } else discard(incoming, silo)
  }
}

const numberOf = (name: string): string => name.split('-', 1)[0] ?? name

/** When the conversation in a folder changed last. Unit: milliseconds since the Unix epoch. */
const newestIn = (folder: string): number =>
  Math.max(
    0,
    ...listEntries(folder).map(({name}) => statSync(join(folder, name), {throwIfNoEntry: false})?.mtimeMs ?? 0),
  )

const discard = (folder: string, silo: string): void =>
  move(folder, join(silo, 'conversations', '.trash', basename(folder)))

/** The rest: what is missing is moved; of two files the newer keeps the name and the other stays beside it. */
const mergeTree = (from: string, into: string, mark: string): void => {
  for (const entry of listEntries(from)) {
    const [source, target] = [join(from, entry.name), join(into, entry.name)]
    if (entry.isSymbolicLink()) continue
    const there = lstatSync(target, {throwIfNoEntry: false})
    if (there === undefined) move(source, target)
    else if (entry.isDirectory() && there.isDirectory()) {
      mergeTree(source, target, mark)
      removeIfEmpty(source)
    } else if (entry.isFile() && there.isFile() && lstatSync(source).mtimeMs > there.mtimeMs) {
      move(target, `${target}.${mark}`)
      move(source, target)
    } else move(source, `${target}.${mark}`)
  }
}

/** Moves to the first free name. */
const move = (from: string, to: string): void => {
  makeDirectory(join(to, '..'), 'user')
  for (let copy = 1; ; copy++) {
    const target = copy === 1 ? to : `${to}-${copy}`
    if (lstatSync(target, {throwIfNoEntry: false}) !== undefined) continue
    try {
      renameSync(from, target)
      return
    } catch (error) {
      throw writeFailure(target, error)
    }
  }
}

const removeIfEmpty = (folder: string): boolean => {
  try {
    rmdirSync(folder)
    return true
  } catch {
    return false
  }
}
