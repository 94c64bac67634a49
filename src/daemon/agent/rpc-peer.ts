import {JpError} from '../../errors/jp-error.js'
import {encodeLine} from '../../platform/json-lines.js'
import {forTerminalLine} from '../../platform/sanitise.js'

/** What the other side asks for. Both are called synchronously, in the order of the lines. */
export interface RpcSide {
  request(method: string, params: unknown): Promise<unknown>
  notification(method: string, params: unknown): void
  /** A line that is no message of JSON-RPC, in words; it was answered with a protocol error. */
  strayLine(about: string): void
}

/** One end of a JSON-RPC 2.0 connection over lines. */
export interface RpcPeer {
  /** Takes one line of the other side. */
  receive(line: string): void
  /** @throws JpError `agent_failed` (details: `rpcCode`), `agent_exited`. */
  request(method: string, params: unknown): Promise<unknown>
  notify(method: string, params: unknown): void
  /** The other side is gone: nobody may wait for it any longer. */
  fail(cause: JpError): void
}

type Waiting = {readonly resolve: (value: unknown) => void; readonly reject: (reason: unknown) => void}

/**
 * Creates a peer. Our own instead of the ACP library's: a reply and the notifications before it keep their order, which
 * the end of a turn rests on, and a burst costs one parse a line (decision 0060).
 */
export const createRpcPeer = (side: RpcSide, send: (line: string) => void): RpcPeer => {
  const waiting = new Map<number, Waiting>()
  let lastId = 0
  let failure: JpError | undefined

  const answer = async (id: unknown, method: string, params: unknown): Promise<void> => {
    try {
      send(encodeLine({jsonrpc: '2.0', id, result: await side.request(method, params)}))
    } catch (error) {
      send(encodeLine({jsonrpc: '2.0', id, error: rpcErrorOf(error)}))
    }
  }
  const settle = (message: Record<string, unknown>): void => {
    const id = message['id']
    const found = typeof id === 'number' ? waiting.get(id) : undefined
    if (typeof id !== 'number' || found === undefined) return side.strayLine(`an answer to no question: ${brief(id)}`)
    waiting.delete(id)
    if ('error' in message) found.reject(agentError(message['error']))
    else found.resolve(message['result'])
  }
  return {
    receive(line) {
      if (line.trim() === '') return
      const message = parse(line)
      if (message === undefined) {
        side.strayLine(brief(line))
        send(encodeLine({jsonrpc: '2.0', id: null, error: {code: -32700, message: 'Parse error'}}))
        return
      }
      const {method} = message
      if (typeof method !== 'string') settle(message)
      else if ('id' in message) void answer(message['id'], method, message['params'])
      else side.notification(method, message['params'])
    },
    request(method, params) {
      if (failure !== undefined) return Promise.reject(failure)
      const id = ++lastId
      return new Promise((resolve, reject) => {
        waiting.set(id, {resolve, reject})
        send(encodeLine({jsonrpc: '2.0', id, method, params}))
      })
    },
    notify(method, params) {
      if (failure === undefined) send(encodeLine({jsonrpc: '2.0', method, params}))
    },
    fail(cause) {
      failure = cause
      for (const {reject} of waiting.values()) reject(cause)
      waiting.clear()
    },
  }
}

const parse = (line: string): Record<string, unknown> | undefined => {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? {...value} : undefined
  } catch {
    return undefined
  }
}

/** The longest part of a stray line that is told. Unit: UTF-16 code units. */
const briefUnits = 80

const brief = (value: unknown): string => {
  const text = forTerminalLine(typeof value === 'string' ? value : String(value))
  return text.length > briefUnits ? `${text.slice(0, briefUnits)}…` : text
}

/**
 * An error that the agent answered with. Agents say more in `data`: a message of its own, a code, and what the code is
 * about; jp's own does so with the codes of its catalogue.
 */
const agentError = (error: unknown): JpError => {
  const {message, code: rpcCode, data} = fieldsOf(error)
  const {message: own, details, hint, code, last_root: lastRoot} = fieldsOf(data)
  const words = [typeof own === 'string' ? own : message, details].filter((text) => typeof text === 'string')
  return new JpError('agent_failed', words.join(': ') || 'The agent failed.', {
    hint: typeof hint === 'string' ? hint : undefined,
    details: {
      ...(typeof rpcCode === 'number' ? {rpcCode} : {}),
      ...(typeof code === 'string' ? {agentCode: code} : {}),
      ...(lastRoot === undefined ? {} : {last_root: lastRoot}),
    },
    cause: error,
  })
}

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? {...value} : {}

const rpcErrorOf = (error: unknown): {code: number; message: string} => {
  const code = error instanceof JpError ? error.code : 'internal'
  if (code === 'not_supported') return {code: -32601, message: 'Method not found'}
  if (code === 'request_invalid') return {code: -32602, message: 'Invalid params'}
  return {code: -32603, message: 'Internal error'}
}
