import {closeSync, constants, fstatSync, openSync, readSync} from 'node:fs'
import {sha256} from '@noble/hashes/sha2.js'
import {bytesToHex} from '@noble/hashes/utils.js'
import {builtin} from './builtin.js'

const blockBytes = 256 * 1024

/** A digest that is being made. */
export interface Digest {
  update(bytes: Uint8Array): void
  /** The digest of all that was given, in hex. Ends it. */
  hex(): string
}

/** Up to this size a digest takes less than loading Node's crypto module for it. Unit: bytes. */
const smallBytes = 256 * 1024

/** Begins the digest of something of about this size. Unit: bytes. */
export const createDigest = (algorithm: 'sha256' | 'sha1', size: number): Digest => {
  if (algorithm === 'sha256' && size <= smallBytes) {
    const hash = sha256.create()
    return {update: (bytes) => void hash.update(bytes), hex: () => bytesToHex(hash.digest())}
  }
  const hash = builtin('node:crypto').createHash(algorithm)
  return {update: (bytes) => void hash.update(bytes), hex: () => hash.digest('hex')}
}

/** The SHA-256 of a file in hex, read in bounded memory; undefined when it can't be read. */
export const sha256OfFile = (path: string): string | undefined => {
  let fd: number | undefined
  try {
    fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    const hash = createDigest('sha256', fstatSync(fd).size)
    const block = Buffer.allocUnsafe(blockBytes)
    for (;;) {
      const got = readSync(fd, block, 0, block.length, null)
      if (got === 0) return hash.hex()
      hash.update(block.subarray(0, got))
    }
  } catch {
    return undefined
  } finally {
    if (fd !== undefined) closeSync(fd)
  }
}
