import {createServer, type IncomingMessage, type Server, type ServerResponse} from 'node:http'
import {type Jp, RequestError} from '../../sdk/src/client.js'
import {assetAt} from './assets.js'
import {readBody} from './body.js'
import {createGuard} from './guard.js'
import type {Options} from './options.js'
import {placesOf} from './places.js'
import {type Answer, type Asking, routes} from './routes.js'
import {createTurns} from './turns.js'
import {problemPage} from './view/pages.js'

/** Nothing of a page comes from elsewhere, and no page of elsewhere holds one of ours. */
const headers = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  // Without a referrer a form says that it comes from nowhere.
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
} as const

/** What the server stands on. */
export type ServerDeps = {readonly jp: Jp; readonly options: Options; readonly token: string}

/** Creates the server of the page; nothing listens yet. */
export const createWeb = ({jp, options, token}: ServerDeps): Server => {
  const guard = createGuard({host: options.host, token})
  const turns = createTurns(jp)
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    const verdict = guard(request)
    if (verdict.kind === 'refuse') return send(response, {status: verdict.status, text: `${verdict.why}\n`})
    if (verdict.kind === 'welcome') {
      response.setHeader('set-cookie', verdict.cookie)
      return send(response, {status: 303, location: '/'})
    }
    const url = new URL(request.url ?? '/', 'http://localhost')
    const asset = assetAt(url.pathname)
    if (asset !== undefined) return send(response, asset)
    const places = placesOf(await jp.listWorkspaces())
    for (const {method, pattern, answer} of routes) {
      const match = pattern.exec(url.pathname)
      if (match === null || method !== request.method) continue
      const body = method === 'POST' ? await readBody(request) : {}
      const asking: Asking = {jp, turns, places, url, words: match.slice(1), body, response}
      return send(response, await answer(asking))
    }
    send(response, {status: 404, html: problemPage(places, 'Not found', 'There is no such page.')})
  }
  return createServer((request, response) => {
    handle(request, response).catch((error: unknown) => fail(jp, response, error))
  })
}

const send = (response: ServerResponse, answer: Answer | undefined): void => {
  if (answer === undefined || response.headersSent) return
  const type = answer.type ?? (answer.html === undefined ? 'text/plain; charset=utf-8' : 'text/html; charset=utf-8')
  if (answer.location !== undefined) response.setHeader('location', answer.location)
  response.writeHead(answer.status, {'content-type': type}).end(answer.html ?? answer.text ?? '')
}

/** jp's refusals are told as they are; anything else is a fault of ours, whose text goes to the trace. */
const fail = (jp: Jp, response: ServerResponse, error: unknown): void => {
  const refusal = error instanceof RequestError
  if (!refusal) jp.log('error', String(error instanceof Error ? error.stack : error))
  if (response.headersSent) return void response.destroy()
  const status = refusal ? (error.code.endsWith('_not_found') ? 404 : 409) : 500
  const text = refusal ? `${error.message} (${error.code})` : 'Something went wrong; the trace of jp tells what.'
  send(response, {status, html: problemPage([], refusal ? 'jp refused' : 'An error', text)})
}
