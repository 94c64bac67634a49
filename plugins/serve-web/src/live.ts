import type {ServerResponse} from 'node:http'
import type {Read} from './read-conversation.js'

/** How often a conversation is looked at. Unit: milliseconds. */
const lookMs = {running: 250, idle: 1000} as const

/** What a stream shows. */
export type Live = {
  readonly read: () => Promise<Read>
  /** The parts of the page that change by themselves, by name. */
  readonly render: (shown: Read) => Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

/**
 * Streams a conversation to a page until the page is gone: what it shows now, and again when that changes. The state is always
 * read, so that a page that comes back shows what is, whatever it missed (FR-58).
 */
export const streamLive = async (response: ServerResponse, {read, render, signal}: Live): Promise<void> => {
  response.writeHead(200, {'content-type': 'text/event-stream', 'cache-control': 'no-store'})
  let last = ''
  while (!response.destroyed && !signal.aborted) {
    const shown = await read()
    const data = JSON.stringify({state: shown.state, failure: shown.failure?.code ?? '', ...render(shown)})
    if (data !== last) {
      last = data
      if (!response.write(`data: ${data}\n\n`)) await drained(response)
    }
    await pause(shown.state === 'running' || shown.state === 'elsewhere' ? lookMs.running : lookMs.idle, response)
  }
  response.end()
}

const pause = (ms: number, response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => done(), ms)
    const done = (): void => {
      clearTimeout(timer)
      response.off('close', done)
      resolve()
    }
    response.once('close', done)
  })

const drained = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done).off('close', done)
      resolve()
    }
    response.once('drain', done).once('close', done)
  })
