import type {RunningDaemon} from '../../src/daemon/serve.js'
import type {Answer} from './daemon.js'
import {type EventReader, type ReadOptions, readEvents} from './event-reader.js'
import {send} from './http.js'
import {servingToken} from './serving.js'

/** Drives a daemon of this process over real sockets. */
export interface DaemonTestClient {
  ask(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>
  /** Makes a session of its own; gives its id. */
  create(cwd: string): Promise<string>
  prompt(session: string, text: string): Promise<{readonly promptId: string; readonly lastEventId: number}>
  read(session: string, options?: Partial<ReadOptions>): Promise<EventReader>
  /** Sends a prompt and settles with the end of its turn. */
  turn(session: string, text: string): Promise<string>
}

/** Creates a client. */
export const createDaemonClient = (daemon: Pick<RunningDaemon, 'port'>, token = servingToken): DaemonTestClient => {
  const {port} = daemon
  const ask = async (
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> => {
    const text = body === undefined ? undefined : JSON.stringify(body)
    const answer = await send({
      port,
      method,
      path,
      headers: {
        host: `127.0.0.1:${port}`,
        authorization: `Bearer ${token}`,
        ...(text === undefined ? {} : {'content-type': 'application/json'}),
        ...headers,
      },
      ...(text === undefined ? {} : {body: text}),
    })
    return {
      status: answer.status,
      body: answer.text === '' ? {} : JSON.parse(answer.text),
      headers: new Headers(answer.headers as Record<string, string>),
    }
  }
  const read = (session: string, options: Partial<ReadOptions> = {}): Promise<EventReader> =>
    readEvents({port, token, session, ...options})
  const must = (answer: Answer, status: number): Answer => {
    if (answer.status !== status) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`)
    return answer
  }
  const prompt = async (session: string, text: string) => {
    const answer = await ask('POST', `/session/${session}/prompt`, {prompt: [{type: 'text', text}]})
    return must(answer, 202).body as {promptId: string; lastEventId: number}
  }
  return {
    ask,
    create: async (cwd) => must(await ask('POST', '/session', {cwd, sessionScope: 'thread'}), 200).body['sessionId'],
    prompt,
    read,
    async turn(session, text) {
      const {promptId, lastEventId} = await prompt(session, text)
      const reader = await read(session, {lastEventId})
      const end = await reader.until(
        ({type, data}) => (type === 'turn_complete' || type === 'turn_error') && data['promptId'] === promptId,
      )
      reader.cut()
      return end.type === 'turn_error' ? `error: ${end.data['message']}` : end.data['stopReason']
    },
  }
}
