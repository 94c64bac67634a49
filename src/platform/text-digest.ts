import {sha256} from '@noble/hashes/sha2.js'
import {bytesToHex, utf8ToBytes} from '@noble/hashes/utils.js'

/**
 * The SHA-256 of a short text in hex. Loading Node's crypto module for it would take 8 ms of every start, since most
 * commands look up the record of their checkout by such a digest.
 */
export const sha256OfText = (text: string): string => bytesToHex(sha256(utf8ToBytes(text)))
