import {createHash, timingSafeEqual} from 'node:crypto'
import type {IncomingMessage} from 'node:http'
import {JpError} from '../errors/jp-error.js'

/** Who may ask what: fixed before anything is bound. */
export type GuardPolicy = {
  /** Undefined with `--no-auth`. */
  readonly token: string | undefined
  /** `/health` needs the token too. */
  readonly requireAuth: boolean
  /** Names and addresses of the listener, in lower case, without a port; IPv6 in brackets. */
  readonly hosts: ReadonlySet<string>
  readonly port: () => number
  /** Whether a cookie that a one-time link set is good for reading the page. */
  readonly isPageCookie: (cookie: string) => boolean
}

/** Every answer of the daemon: nothing is kept by a browser, and nothing is guessed by one. */
export const commonHeaders = {'cache-control': 'no-store', 'x-content-type-options': 'nosniff'} as const

/** The content type of an answer. */
export const jsonType = 'application/json; charset=utf-8'

/** The largest request body. Unit: bytes. */
export const maxBodyBytes = 10 * 1024 * 1024

/** The paths that answer without the token: their answers hold nothing, or they check what they were sent themselves. */
const isOpen = (path: string, {requireAuth}: GuardPolicy): boolean =>
  (path === '/health' && !requireAuth) || path.startsWith('/open/')

/**
 * The one guard chain, in front of everything (D24, D25): Host, Origin, token, content type, size. Nothing of a request
 * is read or routed before it has passed.
 * @throws JpError `host_not_allowed`, `origin_not_allowed`, `unauthorised`, `unsupported_media_type`, `body_too_large`.
 */
export const guard = (request: IncomingMessage, policy: GuardPolicy): void => {
  const {headers} = request
  const path = pathOf(request)
  if (!isOwnAuthority(headers.host, policy)) {
    throw new JpError('host_not_allowed', 'Invalid Host header.', {hint: 'Use the address that "jp serve" printed.'})
  }
  if (headers.origin !== undefined && !isOwnOrigin(headers.origin, policy)) {
    throw new JpError('origin_not_allowed', 'Requests of other origins are refused.')
  }
  if (!isOpen(path, policy) && !hasToken(request, path, policy)) {
    throw new JpError('unauthorised', 'Unauthorized.', {
      hint: 'Send "Authorization: Bearer <token>"; "jp serve env" prints the token.',
    })
  }
  if (hasBody(request)) guardBody(request)
}

const guardBody = ({headers}: IncomingMessage): void => {
  if (!/^application\/(?:[\w.+-]+\+)?json(?:\s*;|$)/i.test(headers['content-type']?.trim() ?? '')) {
    throw new JpError('unsupported_media_type', 'A request body must be JSON.', {
      hint: 'Send "Content-Type: application/json".',
    })
  }
  if (Number(headers['content-length'] ?? 0) > maxBodyBytes) throw bodyTooLarge()
}

/** A body beyond the bound. */
export const bodyTooLarge = (): JpError => new JpError('body_too_large', 'Request body too large (max 10 MB).')

/** True when the request brings a body, by what HTTP says of it. */
export const hasBody = ({headers}: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** The path of a request, without its query. */
export const pathOf = ({url}: IncomingMessage): string => (url ?? '/').split('?', 1)[0] ?? '/'

const isOwnAuthority = (authority: string | undefined, {hosts, port}: GuardPolicy): boolean => {
  const match = /^(\[[0-9a-f:.]+\]|[^:@/]+)(?::(\d{1,5}))?$/i.exec(authority ?? '')
  if (match === null) return false
  return hosts.has((match[1] ?? '').toLowerCase()) && Number(match[2] ?? 80) === port()
}

const isOwnOrigin = (origin: string, policy: GuardPolicy): boolean =>
  origin.startsWith('http://') && isOwnAuthority(origin.slice('http://'.length), policy)

const hasToken = (request: IncomingMessage, path: string, policy: GuardPolicy): boolean => {
  if (policy.token === undefined) return true
  const sent = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1]
  if (sent !== undefined) return isSame(sent, policy.token)
  const cookie = path === '/' ? cookieOf(request) : undefined
  return cookie !== undefined && policy.isPageCookie(cookie)
}

/** The name of the cookie of the page. */
export const pageCookie = 'jp_page'

const cookieOf = ({headers}: IncomingMessage): string | undefined =>
  headers.cookie
    ?.split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${pageCookie}=`))
    ?.slice(pageCookie.length + 1)

/** Compares two secrets in a time that tells nothing of either, nor of their lengths (D24). */
export const isSame = (left: string, right: string): boolean =>
  timingSafeEqual(createHash('sha256').update(left).digest(), createHash('sha256').update(right).digest())
