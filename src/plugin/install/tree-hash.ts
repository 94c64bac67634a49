import {createHash, type Hash} from 'node:crypto'
import {closeSync, constants, lstatSync, openSync, readdirSync, readlinkSync, readSync, type Stats} from 'node:fs'
import {join} from 'node:path'
import {JpError} from '../../errors/jp-error.js'
import {readFailure} from '../../platform/file-errors.js'
import {makeDirectory, readTextIfPresent, writeAtomic} from '../../platform/files.js'

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
export type TreeHashPlace = {readonly cacheDirectory: string; readonly nowMs: number}

type Remembered = Record<string, {readonly stamp: string; readonly sha256: string}>

/** File systems count time in steps: a tree that changed so lately is hashed again. Unit: milliseconds. */
const settledMs = 2000
const blockBytes = 256 * 1024

/** Opens the remembered hashes in `<cache>/plugins/trees.json`. They can always be removed. */
export const openTreeHashes = ({cacheDirectory, nowMs}: TreeHashPlace): TreeHashes => {
  const folder = join(cacheDirectory, 'plugins')
  const file = join(folder, 'trees.json')
  return {
    hash(root) {
      const tree = walk(root)
      const known = readRemembered(file)
      const entry = known[root]
      if (entry?.stamp === tree.stamp) return entry.sha256
      const sha256 = hashTree(tree)
      if (nowMs - tree.newestMs >= settledMs && walk(root).stamp === tree.stamp) {
        try {
          makeDirectory(folder, 'user')
          writeAtomic(file, JSON.stringify({...known, [root]: {stamp: tree.stamp, sha256}}), 'user')
        } catch {
          // The next run hashes the tree again.
        }
      }
      return sha256
    },
  }
}

const readRemembered = (file: string): Remembered => {
  try {
    const value: unknown = JSON.parse(readTextIfPresent(file, {maxBytes: 16 * 1024 * 1024}) ?? '{}')
    return typeof value === 'object' && value !== null ? (value as Remembered) : {}
  } catch {
    return {}
  }
}

type Node = {readonly path: string; readonly full: string; readonly stat: Stats}
type Tree = {readonly nodes: readonly Node[]; readonly stamp: string; readonly newestMs: number}

/** Every entry below a folder in a fixed order, by stat alone. */
const walk = (root: string): Tree => {
  const nodes: Node[] = []
  const visit = (folder: string, prefix: string): void => {
    for (const name of readdirSync(folder).sort()) {
      const full = `${folder}/${name}`
      const stat = lstatSync(full)
      nodes.push({path: prefix + name, full, stat})
      if (stat.isDirectory()) visit(full, `${prefix}${name}/`)
    }
  }
  try {
    visit(root, '')
  } catch (error) {
    throw readFailure(root, error)
  }
  return {nodes, ...stampOf(nodes)}
}

/**
 * What tells one state of a tree from another: its names, and mode, size, mtime, ctime, inode and device of each. As numbers
 * and not as text or `bigint`, which would take most of the time of a large tree; a time is exact to a quarter of a
 * microsecond then.
 */
const stampOf = (nodes: readonly Node[]): Pick<Tree, 'stamp' | 'newestMs'> => {
  const facts = new Float64Array(nodes.length * 6)
  let newestMs = 0
  let at = 0
  for (const {stat} of nodes) {
    for (const fact of [stat.mode, stat.size, stat.mtimeMs, stat.ctimeMs, stat.ino, stat.dev]) facts[at++] = fact
    if (stat.ctimeMs > newestMs) newestMs = stat.ctimeMs
  }
  const names = nodes.map(({path}) => path).join('\0')
  return {stamp: createHash('sha256').update(names).update(facts).digest('hex'), newestMs}
}

const hashTree = ({nodes}: Tree): string => {
  const hash = createHash('sha256')
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
