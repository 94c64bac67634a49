import {createHash, randomBytes, timingSafeEqual} from 'node:crypto'
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs'
import {dirname, join} from 'node:path'

/** The token of this user, the same over restarts, in a file of the user's alone. Without a folder it lives as long as we do. */
export const openToken = (folder: string | undefined): string => {
  const token = randomBytes(24).toString('base64url')
  if (folder === undefined) return token
  const file = join(folder, 'plugins', 'serve-web', 'token')
  try {
    mkdirSync(dirname(file), {recursive: true, mode: 0o700})
    writeFileSync(file, token, {flag: 'wx', mode: 0o600})
    return token
  } catch {
    return readToken(file) ?? token
  }
}

const readToken = (file: string): string | undefined => {
  try {
    const text = readFileSync(file, 'utf8').trim()
    return /^[\w-]{32}$/.test(text) ? text : undefined
  } catch {
    return undefined
  }
}

/** Compares without telling by its time how much is right. */
export const isSameToken = (given: string, token: string): boolean => {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(token))
}
