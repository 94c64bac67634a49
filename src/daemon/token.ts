import {randomBytes} from 'node:crypto'
import {resolve} from 'node:path'
import {JpError} from '../errors/jp-error.js'
import {readText} from '../platform/files.js'
import {type HostEnvironment, variable} from '../platform/host-environment.js'
import type {Registrations} from './registration.js'
import type {ServeOptions} from './serve-options.js'

/** Where the token of a daemon comes from. */
export type TokenChoice = {
  /** Undefined with `--no-auth`. */
  readonly token: string | undefined
  readonly source: 'none' | 'flag' | 'file' | 'environment' | 'kept' | 'generated'
}

/** @throws JpError `usage` (not on loopback without a token, or a token that is none), `file_not_found`. */
export const chooseToken = (
  options: ServeOptions,
  {environment, registrations}: {readonly environment: HostEnvironment; readonly registrations: Registrations},
): TokenChoice => {
  if (options.noAuth) {
    if (isLoopback(options.hostname)) return {token: undefined, source: 'none'}
    throw new JpError('usage', `--no-auth is for loopback addresses only, and ${options.hostname} is none.`, {
      hint: 'Leave --no-auth out: a token is made, and "jp serve env" prints it.',
    })
  }
  if (options.token !== undefined) return {token: checked(options.token, '--token'), source: 'flag'}
  if (options.tokenFile !== undefined) {
    const text = readText(resolve(environment.cwd, options.tokenFile), {maxBytes: 65_536})
    return {token: checked(text.trim(), '--token-file'), source: 'file'}
  }
  for (const name of ['JP_SERVER_TOKEN', 'QWEN_SERVER_TOKEN']) {
    const value = variable(environment, name)
    if (value !== undefined) return {token: checked(value, `$${name}`), source: 'environment'}
  }
  const kept = options.port === 0 ? undefined : registrations.read(options.port)?.token
  if (kept !== undefined && tokenGrammar.test(kept)) return {token: kept, source: 'kept'}
  return {token: randomBytes(32).toString('base64url'), source: 'generated'}
}

/** What fits into a header without quoting. */
const tokenGrammar = /^[\x21-\x7e]{8,512}$/

const checked = (token: string, from: string): string => {
  if (tokenGrammar.test(token)) return token
  throw new JpError('usage', `The token of ${from} must have 8 to 512 visible ASCII characters and no spaces.`)
}

/** True for an address that only this machine reaches. */
export const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '::1' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname)
