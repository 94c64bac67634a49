import type {AnyMessage} from '@agentclientprotocol/sdk'

/** What is open between the client and us. */
export interface RequestLedger {
  /** Takes a message of the client on its way in. */
  take(message: AnyMessage): void
  /** A message of ours is written. */
  written(message: AnyMessage): void
  /** Settles when every request of the client is answered, or when the time is over. Unit: milliseconds. */
  settled(withinMs: number): Promise<void>
}

/**
 * Creates the ledger of a connection. What a client sends behind `initialize` without waiting for its answer is held back
 * until then: the connection would refuse it as coming too early.
 * @param pass takes the messages in.
 */
export const createRequestLedger = (pass: (message: AnyMessage) => void): RequestLedger => {
  const open = new Set<unknown>()
  let held: AnyMessage[] | undefined
  let initializing: unknown
  let idle: (() => void) | undefined

  const admit = (message: AnyMessage): void => {
    if (held !== undefined) return void held.push(message)
    if (isRequest(message) && message.method === 'initialize') {
      initializing = message.id
      held = []
    }
    pass(message)
  }
  const endHolding = (): void => {
    const waiting = held ?? []
    held = undefined
    for (const message of waiting) admit(message)
  }
  return {
    take(message) {
      if (isRequest(message)) open.add(message.id)
      admit(message)
    },
    written(message) {
      if ('method' in message) return
      open.delete(message.id)
      if (held !== undefined && message.id === initializing) endHolding()
      if (open.size === 0) idle?.()
    },
    settled: (withinMs) =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, open.size === 0 ? 0 : withinMs)
        idle = () => {
          clearTimeout(timer)
          resolve()
        }
      }),
  }
}

/** What was read is any JSON; only a request that the connection will take is waited for. */
const isRequest = (message: unknown): message is {readonly id: unknown; readonly method: unknown} =>
  typeof message === 'object' &&
  message !== null &&
  'jsonrpc' in message &&
  message.jsonrpc === '2.0' &&
  'method' in message &&
  'id' in message
