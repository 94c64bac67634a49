import {createHash, type Hash} from 'node:crypto'
import {type BigIntStats, closeSync, constants, lstatSync, openSync, readdirSync, readlinkSync, readSync} from 'node:fs'
import {join} from 'node:path'
import {JpError} from '../../errors/jp-error.js'
import {readFailure} from '../../platform/file-errors.js'
import {makeDirectory, readTextIfPresent, writeAtomic} from '../../platform/files.js'
import {sha256OfText} from '../../platform/text-digest.js'

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
      const changedMs = tree.newestNs / 1_000_000n
      if (BigInt(Math.trunc(nowMs)) - changedMs >= BigInt(settledMs) && walk(root).stamp === tree.stamp) {
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

type Node = {readonly path: string; readonly full: string; readonly stat: BigIntStats}
type Tree = {readonly nodes: readonly Node[]; readonly stamp: string; readonly newestNs: bigint}

/** Every entry below a folder in a fixed order, by stat alone. */
const walk = (root: string): Tree => {
  const nodes: Node[] = []
  const visit = (folder: string, prefix: string): void => {
    for (const name of readdirSync(folder).sort()) {
      const full = `${folder}/${name}`
      const stat = lstatSync(full, {bigint: true})
      nodes.push({path: prefix + name, full, stat})
      if (stat.isDirectory()) visit(full, `${prefix}${name}/`)
    }
  }
  try {
    visit(root, '')
  } catch (error) {
    throw readFailure(root, error)
  }
  let newestNs = 0n
  const stamps = nodes.map(({path, stat}) => {
    if (stat.ctimeNs > newestNs) newestNs = stat.ctimeNs
    return `${path}\0${stat.mode}:${stat.size}:${stat.mtimeNs}:${stat.ctimeNs}:${stat.ino}:${stat.dev}`
  })
  return {nodes, stamp: sha256OfText(stamps.join('\0')), newestNs}
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
      add((stat.mode & 0o111n) === 0n ? 'file' : 'executable')
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
