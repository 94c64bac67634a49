import {sha256OfFile} from '../platform/file-digest.js'
import {openTreeHashes, type TreeHashPlace} from './install/tree-hash.js'
import type {PluginOrigin} from './plugin.js'

/** Where checksums of trees are remembered. */
export type ChecksumPlace = TreeHashPlace

/**
 * What a plugin's checksum is now, in hex: of the file, or of the tree of a package (P13). Undefined when it can't be read,
 * and for a linked folder, which has none.
 */
export const checksumOf = (origin: PluginOrigin, place: ChecksumPlace): string | undefined => {
  if (origin.kind === 'executable') return sha256OfFile(origin.path)
  if (origin.isLinked) return undefined
  try {
    return openTreeHashes(place).hash(origin.tree)
  } catch {
    return undefined
  }
}
