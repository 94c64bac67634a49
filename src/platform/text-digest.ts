import {builtin} from './builtin.js'

/**
 * The SHA-256 of a text in hex. Node's crypto module takes milliseconds to load, and most runs hash nothing, so it is
 * loaded at the first call.
 */
export const sha256OfText = (text: string): string =>
  builtin('node:crypto').createHash('sha256').update(text).digest('hex')
