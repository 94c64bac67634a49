import assert from 'node:assert/strict'
import {type ChildProcessWithoutNullStreams, spawn} from 'node:child_process'
import {once} from 'node:events'
import {Readable, Writable} from 'node:stream'
import {
  type ClientApp,
  type ClientCapabilities,
  type ClientContext,
  type ContentBlock,
  client,
  type InitializeResponse,
  ndJsonStream,
  type PromptResponse,
  RequestError,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionUpdate,
} from '@agentclientprotocol/sdk'
import {launcher} from './jp.js'
import type {Scratch} from './scratch.js'

/** How a client of a test answers, and how its agent is started. */
export type EditorOptions = {
  readonly cwd?: string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly capabilities?: ClientCapabilities
  /** Answers a permission request; without it every request is answered with its first option. */
  readonly onPermission?: (request: RequestPermissionRequest) => Promise<RequestPermissionResponse>
  /** Registers more of the client's methods: files, terminals. */
  readonly register?: (app: ClientApp) => ClientApp
}

/** A client of the protocol's own SDK with a real agent process behind it. */
export type Editor = {
  readonly child: ChildProcessWithoutNullStreams
  readonly agent: ClientContext
  readonly initialized: InitializeResponse
  /** Every update so far, by session, in order. */
  updates(session: string): readonly SessionUpdate[]
  readonly permissions: readonly RequestPermissionRequest[]
  /** Every line of stdout so far. */
  lines(): readonly string[]
  stderr(): string
  newSession(cwd: string): Promise<string>
  prompt(session: string, text: string | readonly ContentBlock[]): Promise<PromptResponse>
  /** Settles when an update fits. */
  until(session: string, fits: (update: SessionUpdate) => boolean): Promise<SessionUpdate>
  /** Closes stdin; gives the exit code and how long the agent took to end. Unit: milliseconds. */
  close(): Promise<{readonly code: number | NodeJS.Signals; readonly ms: number}>
}

const open = new Set<ChildProcessWithoutNullStreams>()

/** Ends what a failed test has left running: for `afterEach`. */
export const endEditors = (): void => {
  for (const child of open) if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
  open.clear()
}

/** Starts an agent as an editor does, and initializes it. */
export const openEditor = async (scratch: Scratch, options: EditorOptions = {}): Promise<Editor> => {
  const child = spawn(process.execPath, [launcher, ...(options.args ?? []), 'acp'], {
    cwd: options.cwd ?? scratch.path,
    env: {...scratch.env, ...options.env},
    stdio: 'pipe',
    detached: true,
  })
  open.add(child)
  const out: Buffer[] = []
  const err: Buffer[] = []
  let received = 0
  let handled = 0
  child.stdout.on('data', (bytes: Buffer) => {
    out.push(bytes)
    received = Buffer.concat(out).toString().split('"method":"session/update"').length - 1
  })
  child.stderr.on('data', (bytes: Buffer) => err.push(bytes))
  child.stdin.on('error', () => undefined)
  const updates = new Map<string, SessionUpdate[]>()
  const watchers = new Set<() => void>()
  const permissions: RequestPermissionRequest[] = []
  const app = client({name: 'test'})
    .onNotification('session/update', ({params}) => {
      handled += 1
      updates.set(params.sessionId, [...(updates.get(params.sessionId) ?? []), params.update])
      for (const look of watchers) look()
    })
    .onRequest('session/request_permission', ({params}) => {
      permissions.push(params)
      for (const look of watchers) look()
      return options.onPermission?.(params) ?? select(params.options[0]?.optionId ?? '')
    })
  const stream = ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>)
  const {agent: connected} = (options.register?.(app) ?? app).connect(stream)
  const agent = new Proxy(connected, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target)
      if (typeof value !== 'function') return value
      if (key !== 'request') return value.bind(target)
      return async (...words: readonly unknown[]): Promise<unknown> => {
        const answer: unknown = await value.apply(target, words)
        // The library may hand an answer on before the notifications that came ahead of it.
        while (handled < received) await new Promise(setImmediate)
        return answer
      }
    },
  })
  const initialized = await agent.request('initialize', {
    protocolVersion: 1,
    clientCapabilities: options.capabilities ?? {},
  })
  const updatesOf = (session: string) => updates.get(session) ?? []
  return {
    child,
    agent,
    initialized,
    updates: updatesOf,
    permissions,
    lines: () =>
      Buffer.concat(out)
        .toString()
        .split('\n')
        .filter((line) => line !== ''),
    stderr: () => Buffer.concat(err).toString(),
    newSession: async (cwd) => (await agent.request('session/new', {cwd, mcpServers: []})).sessionId,
    prompt: (sessionId, text) =>
      agent.request('session/prompt', {
        sessionId,
        prompt: typeof text === 'string' ? [{type: 'text', text}] : [...text],
      }),
    until: (session, fits) =>
      new Promise((resolve) => {
        const look = (): void => {
          const found = updatesOf(session).find(fits)
          if (found === undefined) return
          watchers.delete(look)
          resolve(found)
        }
        watchers.add(look)
        look()
      }),
    async close() {
      const start = performance.now()
      const exit = once(child, 'close')
      child.stdin.end()
      const [code, signal] = await exit
      return {code: signal ?? code, ms: performance.now() - start}
    },
  }
}

/** The answer that chooses an option. */
export const select = (optionId: string): RequestPermissionResponse => ({outcome: {outcome: 'selected', optionId}})

/** The text of all message chunks, or of all thoughts. */
export const textOf = (
  updates: readonly SessionUpdate[],
  kind: 'agent_message_chunk' | 'agent_thought_chunk' | 'user_message_chunk' = 'agent_message_chunk',
): string =>
  updates
    .map((update) => (update.sessionUpdate === kind && update.content.type === 'text' ? update.content.text : ''))
    .join('')

/** The error that a request was answered with. */
export const rpcErrorOf = async (answer: Promise<unknown>): Promise<RequestError> => {
  try {
    await answer
  } catch (error) {
    assert.ok(error instanceof RequestError, String(error))
    return error
  }
  return assert.fail('the request was answered without an error')
}
