import type {Hash} from 'node:crypto'
import {closeSync, constants, lstatSync, openSync, readdirSync, readlinkSync, readSync, type Stats} from 'node:fs'
import {JpError} from '../../errors/jp-error.js'
import {builtin} from '../../platform/builtin.js'
import {readFailure} from '../../platform/file-errors.js'
import {type FolderNames, openTreeMemory, type TreeMemoryPlace, type WalkedTree} from './tree-memory.js'

/** Hashes of installed trees, remembered while no file of them changes (P13). */
export interface TreeHashes {
  /**
   * The SHA-256 of all that would run below a folder, in hex: sorted relative paths, types, executable bits, link targets
   * and contents, dependencies included.
   * @throws JpError `file_not_found`, `file_unreadable`, `file_refused` (a device, a FIFO, a socket).
   */
  hash(root: string): string
}

/** What the hashes stand on. */
export type TreeHashPlace = TreeMemoryPlace

const blockBytes = 256 * 1024

/** Opens the hashes, with what is remembered of earlier runs. */
export const openTreeHashes = (place: TreeHashPlace): TreeHashes => {
  const memory = openTreeMemory(place)
  return {
    hash(root) {
      const known = memory.recall(root)
      if (known !== undefined) return known
      const {nodes, walked} = walk(root)
      const sha256 = hashTree(nodes)
      memory.remember(root, walked, sha256)
      return sha256
    },
  }
}

type Node = {readonly path: string; readonly full: string; readonly stat: Stats}

/** Every entry below a folder in a fixed order, and the same folder by folder. A folder is looked at before its names are read. */
const walk = (root: string): {nodes: readonly Node[]; walked: WalkedTree} => {
  const nodes: Node[] = []
  const folders: FolderNames[] = []
  const statsOf: Stats[][] = []
  const visit = (folder: string, prefix: string): void => {
    const names = readdirSync(folder).sort()
    const stats: Stats[] = []
    folders.push({folder, names})
    statsOf.push(stats)
    for (const name of names) {
      const full = `${folder}/${name}`
      const stat = lstatSync(full)
      stats.push(stat)
      nodes.push({path: prefix + name, full, stat})
      if (stat.isDirectory()) visit(full, `${prefix}${name}/`)
    }
  }
  try {
    const stat = lstatSync(root)
    visit(root, '')
    return {nodes, walked: {folders, stats: [stat, ...statsOf.flat()]}}
  } catch (error) {
    throw readFailure(root, error)
  }
}

const hashTree = (nodes: readonly Node[]): string => {
  const hash = builtin('node:crypto').createHash('sha256')
  const buffer = Buffer.allocUnsafe(blockBytes)
  // Lengths stand before what they measure: no two trees make one text.
  const add = (text: string): void => void hash.update(`${Buffer.byteLength(text)}:${text};`)
  for (const {path, full, stat} of nodes) {
    add(path)
    if (stat.isDirectory()) add('folder')
    else if (stat.isSymbolicLink()) {
      add('link')
      add(readlinkSync(full))
    } else if (stat.isFile()) {
      add((stat.mode & 0o111) === 0 ? 'file' : 'executable')
      hash.update(`${stat.size}:`)
      addContent(hash, full, buffer)
    } else throw new JpError('file_refused', `${full} is neither a file nor a folder.`)
  }
  return hash.digest('hex')
}

const addContent = (hash: Hash, path: string, buffer: Buffer): void => {
  let fd: number | undefined
  try {
    fd = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
    for (;;) {
      const got = readSync(fd, buffer, 0, buffer.length, null)
      if (got === 0) return
      hash.update(buffer.subarray(0, got))
    }
  } catch (error) {
    throw readFailure(path, error)
  } finally {
    if (fd !== undefined) closeSync(fd)
  }
}
