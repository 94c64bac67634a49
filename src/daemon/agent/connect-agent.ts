import {JpError} from '../../errors/jp-error.js'
import {type Child, type ChildExit, startChild} from '../../platform/child-process.js'
import {createLineFramer} from '../../platform/json-lines.js'
import {pause} from '../../platform/pause.js'
import type {Trace} from '../../platform/trace.js'
import type {AgentExit, AgentLink, AgentListener, AgentUpdate} from './agent-link.js'
import {agentRequests, readMessage} from './agent-requests.js'
import {inTime} from './in-time.js'
import {createRpcPeer, type RpcPeer} from './rpc-peer.js'

/** Which agent to start, and where. */
export type AgentLaunch = {
  readonly command: string
  readonly args: readonly string[]
  /** The canonical root of the runtime: where the agent runs, and where its sessions are. */
  readonly cwd: string
  /** The whole environment (D8). */
  readonly env: Readonly<Record<string, string>>
  readonly version: string
  readonly trace: Trace
  /** How long it may take to answer what is no prompt: a prompt has its own ends. Unit: milliseconds. */
  readonly answerMs: number
  /** Aborted when nobody needs it any longer while it starts; the reason is what is thrown. */
  readonly signal: AbortSignal
}

/** The longest line of an agent. Unit: bytes. */
const maxLineBytes = 64 * 1024 * 1024

/** How long an agent may take to end. Unit: milliseconds. */
const graceMs = 3000

/**
 * Starts an ACP agent and greets it.
 * @throws JpError `child_failed`, `agent_failed` (also when it does not answer in time), `agent_exited`.
 */
export const connectAgent = async (launch: AgentLaunch, listener: AgentListener): Promise<AgentLink> => {
  launch.signal.throwIfAborted()
  const shapes = import('../../protocol/agent-replies.js')
  const child = await startChild({...launch, stdin: 'pipe'})
  const exited = ended(child)
  const peer = talkTo(child, launch, await sideOf(listener, launch.trace, await shapes))
  void exited.then((exit) => peer.fail(agentExited(exit)))
  const end = (): Promise<void> => {
    child.stdin?.end()
    return child.endGroup(graceMs)
  }
  try {
    const {initializeReply} = await shapes
    const greeting = await inTime(peer.request('initialize', initializeParams(launch.version)), launch)
    const {agentCapabilities, protocolVersion} = readMessage(initializeReply, greeting)
    if (protocolVersion !== 1) throw new JpError('agent_failed', `The agent speaks ACP ${protocolVersion}, not 1.`)
    const session = agentCapabilities?.sessionCapabilities
    const capabilities = {
      load: agentCapabilities?.loadSession === true,
      resume: session?.resume !== undefined && session.resume !== null,
      close: session?.close !== undefined && session.close !== null,
      fork: session?.fork !== undefined && session.fork !== null,
    }
    return {
      pid: child.pid,
      capabilities,
      exited,
      end,
      ...agentRequests(peer, launch, {...(await shapes), capabilities}),
    }
  } catch (error) {
    await end()
    throw error
  }
}

type Shapes = typeof import('../../protocol/agent-replies.js')

const initializeParams = (version: string) => ({
  protocolVersion: 1,
  // The daemon has no files or terminals to offer: an agent works in its own workspace with its own hands (D6).
  clientCapabilities: {fs: {readTextFile: false, writeTextFile: false}, terminal: false},
  clientInfo: {name: 'jp serve', title: 'jp serve', version},
})

/** Connects a peer to the child's pipes; what the child says on stderr goes to the log. */
const talkTo = (child: Child, {trace}: AgentLaunch, side: Parameters<typeof createRpcPeer>[0]): RpcPeer => {
  const peer = createRpcPeer(side, (line) => void child.stdin?.write(line))
  child.stdin?.on('error', () => undefined)
  const lines = createLineFramer(
    {
      line: (text) => peer.receive(text),
      tooLong: (limit) => side.strayLine(`a line longer than ${limit} bytes`),
      notUtf8: () => side.strayLine('a line that is not UTF-8'),
    },
    maxLineBytes,
  )
  child.stdout.on('data', (bytes: Buffer) => lines.push(bytes))
  const talk = createLineFramer(
    {line: (text) => trace.write('info', 'agent', text), tooLong: () => undefined, notUtf8: () => undefined},
    maxLineBytes,
  )
  child.stderr.on('data', (bytes: Buffer) => talk.push(bytes))
  return peer
}

/** What the agent may ask of the daemon. */
const sideOf = async (listener: AgentListener, trace: Trace, {permissionRequest}: Shapes) => ({
  request: async (method: string, params: unknown): Promise<unknown> => {
    if (method !== 'session/request_permission') throw new JpError('not_supported', `jp serve has no ${method}.`)
    const {sessionId, toolCall, options} = readMessage(permissionRequest, params, 'request_invalid')
    return {outcome: await listener.permission(sessionId, {toolCall, options})}
  },
  notification: (method: string, params: unknown): void => {
    const update = method === 'session/update' ? updateOf(params) : undefined
    if (update !== undefined) listener.update(update.sessionId, update.update)
    else trace.write('debug', 'agent', `ignored the notification ${method}`)
  },
  strayLine: (about: string): void => trace.write('warn', 'agent', `wrote a line that is not a message: ${about}`),
})

/** By hand: it is read for every chunk of an answer. */
const updateOf = (params: unknown): {sessionId: string; update: AgentUpdate} | undefined => {
  if (typeof params !== 'object' || params === null) return undefined
  const {sessionId, update} = params as {readonly sessionId?: unknown; readonly update?: unknown}
  const isUpdate = typeof update === 'object' && update !== null && 'sessionUpdate' in update
  if (typeof sessionId !== 'string' || !isUpdate || typeof update.sessionUpdate !== 'string') return undefined
  return {sessionId, update: update as AgentUpdate}
}

/** How long the last lines of an agent that has ended may take; a grandchild may hold the pipe. Unit: milliseconds. */
const lastLinesMs = 250

const ended = async (child: Child): Promise<AgentExit> => {
  const read = new Promise<void>((resolve) => child.stdout.once('close', resolve))
  const exit = await child.exited
  await Promise.race([read, pause(lastLinesMs)])
  return agentExit(exit)
}

const agentExit = (exit: ChildExit): AgentExit =>
  'signal' in exit ? {exitCode: null, signalCode: exit.signal} : {exitCode: exit.code, signalCode: null}

const agentExited = ({exitCode, signalCode}: AgentExit): JpError =>
  new JpError(
    'agent_exited',
    `The agent process ended${signalCode === null ? ` with ${exitCode}` : ` by ${signalCode}`}.`,
    {
      details: {exitCode, signalCode},
    },
  )
