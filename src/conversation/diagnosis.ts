import {join} from 'node:path'
import {hasCode, JpError} from '../errors/jp-error.js'
import {readBytes, readText} from '../platform/files.js'
import type {ConversationId} from '../platform/id-grammar.js'
import {canParse} from '../platform/memory.js'
import type {ConversationLocks} from './conversation-locks.js'
import {type ConversationRoot, type Copy, readShelf, shelfOf} from './conversation-roots.js'
import {type Damage, damageOf} from './damage.js'
import {weigh} from './located.js'
import {mendSurrogates, rebuiltMetadata, salvageEvents} from './salvage.js'
import {staleLocks} from './tidy.js'
import {type ManagedFile, stampOf} from './units.js'

/** What would put a problem right. Nothing is ever deleted but lock files: what is replaced goes to `.trash/` (W20). */
export type Remedy =
  /** The bytes of the sound copy take the place of the damaged ones. */
  | {readonly kind: 'restore'; readonly copy: Copy; readonly file: ManagedFile; readonly from: Copy}
  /** What could be saved takes their place. */
  | {readonly kind: 'rewrite'; readonly copy: Copy; readonly file: ManagedFile; readonly content: Buffer | string}
  /** The file goes to the trash; the conversation does without. */
  | {readonly kind: 'set_file_aside'; readonly copy: Copy; readonly file: ManagedFile}
  | {readonly kind: 'set_aside'; readonly root: ConversationRoot; readonly directory: string}
  | {readonly kind: 'remove_lock'; readonly path: string}
  /** Nothing is known of its bytes, so nothing is done to them. */
  | {readonly kind: 'none'}

/** One thing that is wrong in a store. */
export type StoreProblem = {
  readonly code: 'damaged' | 'unreadable' | 'stray' | 'duplicate' | 'lone_surrogate' | 'stale_lock'
  readonly id: ConversationId | undefined
  readonly path: string
  readonly reason: string
  /** What `--fix` does, in words; for what it can't do, what a person can. */
  readonly advice: string
  readonly remedy: Remedy
}

/** Looks at every copy of every conversation. Writes nothing; those that are in use are left alone. */
export const diagnose = (roots: readonly ConversationRoot[], locks: ConversationLocks): readonly StoreProblem[] => {
  const closed: StoreProblem[] = []
  const shelves = roots.flatMap((root) =>
    [false, true].flatMap((archived) => {
      try {
        return [readShelf(root, archived)]
      } catch (error) {
        if (!(error instanceof JpError)) throw error
        closed.push(unreadable(undefined, shelfOf(root, archived), error.message))
        return []
      }
    }),
  )
  const groups = new Map<ConversationId, Copy[]>()
  for (const copy of shelves.flatMap(({copies}) => copies)) groups.set(copy.id, [...(groups.get(copy.id) ?? []), copy])
  return [
    ...closed,
    ...shelves.flatMap(({strays}) => strays.map(({root, directory}) => stray(root, directory))),
    ...[...groups].flatMap(([id, copies]) => (locks.holderOf(id) === undefined ? problemsOf(id, copies) : [])),
    ...staleLocks(locks.directory).map(({path, id}) => staleLock(path, id)),
  ]
}

const stray = (root: ConversationRoot, directory: string): StoreProblem => ({
  code: 'stray',
  id: undefined,
  path: directory,
  reason: "the folder's name does not begin with a conversation id",
  advice: 'move it to .trash/',
  remedy: {kind: 'set_aside', root, directory},
})

const staleLock = (path: string, id: ConversationId | undefined): StoreProblem => ({
  code: 'stale_lock',
  id,
  path,
  reason: 'nobody holds this lock; its process died',
  advice: 'remove the file, and temporary files of that process',
  remedy: {kind: 'remove_lock', path},
})

const problemsOf = (id: ConversationId, copies: readonly Copy[]): readonly StoreProblem[] => {
  const examined = copies.map((copy) => ({copy, ...damageOf(copy)}))
  // What can't be read may be sound: then nothing is decided about this conversation.
  const closed = examined.flatMap(({copy, closed}) =>
    closed === undefined ? [] : [unreadable(copy.id, copy.directory, closed)],
  )
  if (closed.length > 0) return closed
  const wholly = examined.filter(({damage}) => damage.has('metadata.json') && damage.has('events.json'))
  if (wholly.length === examined.length) return wholly.map(({copy, damage}) => beyondRepair(copy, damage))
  const damaged = examined.flatMap(({copy, damage}) =>
    [...damage].map(([file, reason]) => damagedFile(copy, {file, reason}, soundFor(examined, file))),
  )
  return [...damaged, ...duplicates(id, copies), ...(damaged.length === 0 ? copies.flatMap(surrogates) : [])]
}

type Examined = Damage & {readonly copy: Copy}

/** A copy whose unit is sound: the two files of the stream come from one copy, never mixed. */
const soundFor = (examined: readonly Examined[], file: ManagedFile): Copy | undefined =>
  examined.find(({damage}) =>
    file === 'metadata.json' ? !damage.has(file) : !damage.has('events.json') && !damage.has('base_config.json'),
  )?.copy

const unreadable = (id: ConversationId | undefined, path: string, reason: string): StoreProblem => ({
  code: 'unreadable',
  id,
  path,
  reason,
  advice: `it is left as it is; see who may read it: ls -la ${path}`,
  remedy: {kind: 'none'},
})

const beyondRepair = (copy: Copy, damage: ReadonlyMap<ManagedFile, string>): StoreProblem => ({
  code: 'damaged',
  id: copy.id,
  path: copy.directory,
  reason: [...damage.values()].join(' '),
  advice: 'move the folder to .trash/, its draft with it',
  remedy: {kind: 'set_aside', root: copy.root, directory: copy.directory},
})

const damagedFile = (
  copy: Copy,
  {file, reason}: {readonly file: ManagedFile; readonly reason: string},
  sound: Copy | undefined,
): StoreProblem => {
  const path = join(copy.directory, file)
  const problem = {code: 'damaged', id: copy.id, path, reason} as const
  if (sound !== undefined)
    return {
      ...problem,
      advice: `restore it from ${sound.directory}`,
      remedy: {kind: 'restore', copy, file, from: sound},
    }
  if (file === 'base_config.json')
    return {...problem, advice: 'move the file to .trash/', remedy: {kind: 'set_file_aside', copy, file}}
  if (file === 'metadata.json') {
    const content = rebuiltMetadata(copy)
    return {...problem, advice: 'write a new one, without a title', remedy: {kind: 'rewrite', copy, file, content}}
  }
  const saved = salvageEvents(bytesOf(path))
  if (saved === undefined) {
    const remedy = {kind: 'set_aside', root: copy.root, directory: copy.directory} as const
    return {...problem, advice: 'move the folder to .trash/, its draft with it', remedy}
  }
  const advice = `keep its ${saved.kept} sound events, and put the damaged file into .trash/`
  return {...problem, advice, remedy: {kind: 'rewrite', copy, file, content: saved.bytes}}
}

const bytesOf = (path: string): Buffer => {
  try {
    return readBytes(path, {noFollow: true})
  } catch (error) {
    if (hasCode(error, 'file_not_found')) return Buffer.alloc(0)
    throw error
  }
}

/** Two folders of one conversation in one root: the one that is not read is in the way. */
const duplicates = (id: ConversationId, copies: readonly Copy[]): readonly StoreProblem[] => {
  const {metadata, stream} = weigh(id, copies).units
  const isRead = (copy: Copy): boolean => metadata?.copy === copy || stream?.copy === copy
  return copies.flatMap((copy) => {
    const together = copies.filter((other) => other.root.place === copy.root.place)
    const kept = together.find(isRead) ?? together[0]
    if (isRead(copy) || copy === kept) return []
    return [
      {
        code: 'duplicate' as const,
        id,
        path: copy.directory,
        reason: 'another folder holds the same conversation, and that one is read',
        advice: 'move it to .trash/',
        remedy: {kind: 'set_aside' as const, root: copy.root, directory: copy.directory},
      },
    ]
  })
}

const surrogates = (copy: Copy): readonly StoreProblem[] => {
  const path = join(copy.directory, 'events.json')
  if (!canParse(stampOf(path)?.size ?? 0)) return []
  const text = readText(path, {noFollow: true})
  const content = mendSurrogates(text)
  if (content === text) return []
  return [
    {
      code: 'lone_surrogate',
      id: copy.id,
      path,
      reason: 'it holds half of a character pair, which other programs refuse',
      advice: 'write U+FFFD in its place',
      remedy: {kind: 'rewrite', copy, file: 'events.json', content},
    },
  ]
}
