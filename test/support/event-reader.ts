import {type ClientRequest, request} from 'node:http'

/** One event as a reader gets it. */
export type ReadEvent = {
  readonly id?: number
  readonly type: string
  readonly promptId?: string
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly data: Readonly<Record<string, any>>
}

/** A reader of one event stream. It never connects again by itself. */
export interface EventReader {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly events: readonly ReadEvent[]
  /** The stream ended, or was cut. */
  readonly ended: boolean
  /** Settles with the first event that fits; rejects when the stream ends before. */
  until(fits: (event: ReadEvent) => boolean): Promise<ReadEvent>
  /** Stops reading from the socket, and goes on. */
  pause(): void
  resume(): void
  /** Cuts the connection. */
  cut(): void
  readonly done: Promise<void>
}

/** What a reader asks for. */
export type ReadOptions = {
  readonly port: number
  readonly token?: string | undefined
  readonly session: string
  readonly lastEventId?: number | string
  readonly query?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Opens an event stream; settles when its head has arrived. */
export const readEvents = (options: ReadOptions): Promise<EventReader> =>
  new Promise((resolve, reject) => {
    const events: ReadEvent[] = []
    const watchers = new Set<() => void>()
    const state = {ended: false}
    const wake = (): void => {
      for (const check of watchers) check()
    }
    const call: ClientRequest = request({
      host: '127.0.0.1',
      port: options.port,
      path: `/session/${options.session}/events${options.query ?? ''}`,
      agent: false,
      headers: {
        ...(options.token === undefined ? {} : {authorization: `Bearer ${options.token}`}),
        ...(options.lastEventId === undefined ? {} : {'last-event-id': String(options.lastEventId)}),
        ...options.headers,
      },
    })
    call.on('error', (error) => {
      reject(error)
      state.ended = true
      wake()
    })
    call.on('response', (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (part: string) => {
        text += part
        const frames = text.split('\n\n')
        text = frames.pop() ?? ''
        for (const frame of frames) {
          const line = frame.split('\n').find((candidate) => candidate.startsWith('data: '))
          if (line !== undefined) events.push(JSON.parse(line.slice('data: '.length)) as ReadEvent)
        }
        wake()
      })
      response.on('error', () => undefined)
      const done = new Promise<void>((finish) =>
        response.on('close', () => {
          state.ended = true
          finish()
          wake()
        }),
      )
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        events,
        get ended() {
          return state.ended
        },
        until: (fits) =>
          new Promise((found, missed) => {
            const check = (): void => {
              const event = events.find(fits)
              if (event === undefined && !state.ended) return
              watchers.delete(check)
              if (event !== undefined) found(event)
              else missed(new Error(`the stream ended; it had ${events.map(({type}) => type).join(' ')}`))
            }
            watchers.add(check)
            check()
          }),
        pause: () => void response.pause(),
        resume: () => void response.resume(),
        cut: () => void call.destroy(),
        done,
      })
    })
    call.end()
  })

/** The text that an event adds to the answer; empty for any other. */
export const chunkOf = ({type, data}: ReadEvent): string =>
  type === 'session_update' && data['update'].sessionUpdate === 'agent_message_chunk'
    ? (data['update'].content.text as string)
    : ''
