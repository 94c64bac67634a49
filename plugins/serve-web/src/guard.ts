import type {IncomingMessage} from 'node:http'
import {isIP} from 'node:net'
import {isLoopback} from './options.js'
import {isSameToken} from './token.js'

/** What is done with a request before anything looks at it (P27). */
export type Verdict =
  | {readonly kind: 'pass'}
  /** The first visit: the token of the URL becomes a cookie. */
  | {readonly kind: 'welcome'; readonly cookie: string}
  | {readonly kind: 'refuse'; readonly status: 401 | 403; readonly why: string}

/** What a guard stands on. */
export type GuardDeps = {readonly host: string; readonly token: string}

const cookieName = 'jp-serve-web'

/** Creates the guard of one server. Host first, since a page of another name may reach us by its name server; then who it is. */
export const createGuard =
  ({host, token}: GuardDeps) =>
  (request: IncomingMessage): Verdict => {
    const refuse = (status: 401 | 403, why: string): Verdict => ({kind: 'refuse', status, why})
    if (!isOurName(request.headers.host, host)) return refuse(403, 'This server does not go by that name.')
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (!isRead && !isOwnPage(request)) return refuse(403, 'Only the pages of this server may change anything.')
    const given = new URL(request.url ?? '/', 'http://localhost').searchParams.get('token')
    if (isRead && given !== null && isSameToken(given, token)) {
      return {kind: 'welcome', cookie: `${cookieName}=${token}; Path=/; HttpOnly; SameSite=Strict; Max-Age=31536000`}
    }
    const cookie = cookieIn(request.headers.cookie ?? '')
    if (cookie !== undefined && isSameToken(cookie, token)) return {kind: 'pass'}
    return refuse(401, 'Open the address that "jp serve web" printed: it holds the token of this server.')
  }

/** An address can't be claimed by a name server; a name counts when it is the configured one or means this machine. */
const isOurName = (given: string | undefined, host: string): boolean => {
  const name = /^(?:\[([^\]]+)\]|([^:]+))(?::\d+)?$/.exec(given ?? '')
  const bare = (name?.[1] ?? name?.[2] ?? '').toLowerCase()
  if (bare === host.toLowerCase() || bare === 'localhost') return true
  return isLoopback(host) ? isLoopback(bare) && isIP(bare) !== 0 : isIP(bare) !== 0
}

const isOwnPage = ({headers}: IncomingMessage): boolean => {
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false
  return headers.origin === undefined || headers.origin === `http://${headers.host}`
}

const cookieIn = (header: string): string | undefined =>
  header
    .split(/;\s*/)
    .find((pair) => pair.startsWith(`${cookieName}=`))
    ?.slice(cookieName.length + 1)
