import {join, sep} from 'node:path'
import {JpError} from '../errors/jp-error.js'
import {statOf} from '../platform/file-stat.js'
import {type Audience, listEntries, namesIn} from '../platform/files.js'
import {type ConversationId, decisecondsOf} from '../platform/id-grammar.js'
import {idOfDirectoryName} from './directory-name.js'

/** The two places that can hold a conversation: the user-local store (durable) and the checkout (projection). */
export type Place = 'silo' | 'checkout'

/** One of the two roots of a checkout's view (S15). */
export type ConversationRoot = {
  readonly place: Place
  /** The folder that holds `conversations/`: the silo, or the checkout's `.jp`. */
  readonly base: string
  /** W33: the silo is the user's alone, the projection follows the umask. */
  readonly audience: Audience
}

/** One copy of a conversation. */
export type Copy = {
  readonly root: ConversationRoot
  readonly id: ConversationId
  /** The name of its folder, and the absolute path of it. */
  readonly name: string
  readonly directory: string
  readonly archived: boolean
}

/** The roots of a checkout's view, the durable one first. Without user-local storage the checkout is the only one. */
export const conversationRoots = (root: string, silo: string | undefined): readonly ConversationRoot[] => {
  const checkout: ConversationRoot = {place: 'checkout', base: join(root, '.jp'), audience: 'umask'}
  return silo === undefined ? [checkout] : [{place: 'silo', base: silo, audience: 'user'}, checkout]
}

/** The folder of a root's live or archived conversations. */
export const shelfOf = (root: ConversationRoot, archived: boolean): string =>
  archived ? join(root.base, 'conversations', '.archive') : join(root.base, 'conversations')

/** A folder's name that belongs to no conversation. */
export type StrayDirectory = {readonly root: ConversationRoot; readonly directory: string; readonly name: string}

/** What lies on one shelf. */
export type Shelf = {readonly copies: readonly Copy[]; readonly strays: readonly StrayDirectory[]}

/**
 * The names of the folders on a shelf. Those that begin with a dot are passed over; so are links, which are never followed
 * (W32), and files.
 * @throws JpError `file_unreadable`.
 */
export const foldersOn = (shelf: string): readonly string[] =>
  listEntries(shelf).flatMap((entry) => (entry.name.startsWith('.') || !entry.isDirectory() ? [] : [entry.name]))

/**
 * The copies on one shelf, unread.
 * @param list as {@link foldersOn}.
 * @throws JpError `file_unreadable`, `file_refused`.
 */
export const readShelf = (root: ConversationRoot, archived: boolean, list = foldersOn): Shelf => {
  const shelf = shelfOf(root, archived)
  const copies: Copy[] = []
  const strays: StrayDirectory[] = []
  if (!isRealDirectory(root, archived)) return {copies, strays}
  for (const name of list(shelf)) {
    const directory = `${shelf}${sep}${name}`
    const id = idOfDirectoryName(name)
    if (id === undefined) strays.push({root, directory, name})
    else copies.push({root, id, name, directory, archived})
  }
  return {copies, strays}
}

/** `.jp` and what lies in it is never followed through a link (W32). */
const isRealDirectory = (root: ConversationRoot, archived: boolean): boolean => {
  const parts = [join(root.base, 'conversations'), ...(archived ? [shelfOf(root, true)] : [])]
  return (root.place === 'silo' || isDirectory(root.base)) && parts.every(isDirectory)
}

const isDirectory = (path: string): boolean => {
  const stat = statOf(path)
  if (stat === undefined) return false
  if (stat.isSymbolicLink()) throw new JpError('file_refused', `${path} is a symbolic link; jp follows none there.`)
  return stat.isDirectory()
}

/** Every copy of one conversation in these roots, live and archived. A turn asks often, in a store of thousands. */
export const copiesOf = (roots: readonly ConversationRoot[], id: ConversationId): readonly Copy[] => {
  const digits = String(decisecondsOf(id))
  return roots.flatMap((root) =>
    [false, true].flatMap((archived) => {
      if (!isRealDirectory(root, archived)) return []
      const shelf = shelfOf(root, archived)
      return namesIn(shelf)
        .filter((name) => name.includes(digits) && idOfDirectoryName(name) === id)
        .map((name) => ({root, id, name, directory: `${shelf}${sep}${name}`, archived}))
        .filter(({directory}) => statOf(directory)?.isDirectory() === true)
    }),
  )
}
