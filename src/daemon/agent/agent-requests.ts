import type {z} from 'zod'
import {JpError} from '../../errors/jp-error.js'
import type {AgentLink} from './agent-link.js'
import {inTime} from './in-time.js'
import type {RpcPeer} from './rpc-peer.js'

/** The shapes of what an agent says; they bring zod, so they are loaded with the first agent. */
type Shapes = typeof import('../../protocol/agent-replies.js')

/** The methods of a link. All but prompts are answered in time, or fail: nobody waits for an agent that hangs. */
export const agentRequests = (
  peer: RpcPeer,
  {cwd, answerMs}: {readonly cwd: string; readonly answerMs: number},
  {sessionReply, promptReply, capabilities}: Shapes & Pick<AgentLink, 'capabilities'>,
) => {
  const place = {cwd, mcpServers: []}
  const ask = (method: string, params: object): Promise<unknown> => inTime(peer.request(method, params), {answerMs})
  const restore = async (method: string, sessionId: string) =>
    readMessage(sessionReply, (await ask(method, {sessionId, ...place})) ?? {})
  const closeSession = async (sessionId: string) => void (await ask('session/close', {sessionId}))
  /** A session that comes too late is nobody's. */
  const letGoOf = (state: unknown): void => {
    const late = sessionReply.safeParse(state).data?.sessionId
    if (typeof late === 'string' && capabilities.close) closeSession(late).catch(() => undefined)
  }
  const askForOne = async (method: string, params: object) => {
    const reply = peer.request(method, {...place, ...params})
    const state = readMessage(sessionReply, await inTime(reply, {answerMs, whenLate: letGoOf}))
    if (typeof state.sessionId === 'string') return {...state, sessionId: state.sessionId}
    throw new JpError('agent_failed', 'The agent named no session.')
  }
  return {
    closeSession,
    newSession: ({sessionId}: {readonly sessionId: string | undefined}) =>
      askForOne('session/new', sessionId === undefined ? {} : {_meta: {jp: {sessionId}}}),
    forkSession: (sessionId: string) => askForOne('session/fork', {sessionId}),
    loadSession: (sessionId: string) => restore('session/load', sessionId),
    resumeSession: (sessionId: string) => restore('session/resume', sessionId),
    prompt: async (sessionId: string, prompt: readonly unknown[]) => {
      const reply = readMessage(promptReply, await peer.request('session/prompt', {sessionId, prompt}))
      return {stopReason: reply.stopReason, usage: reply.usage ?? reply._meta?.jp?.usage ?? undefined}
    },
    cancel: (sessionId: string) => peer.notify('session/cancel', {sessionId}),
    setMode: async (sessionId: string, modeId: string) => void (await ask('session/set_mode', {sessionId, modeId})),
    setOption: async (sessionId: string, configId: string, value: string) =>
      void (await ask('session/set_config_option', {sessionId, configId, value})),
  }
}

/** A message of the agent after its schema. @throws JpError `agent_failed`, or the code that is asked for. */
export const readMessage = <Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  code: 'agent_failed' | 'request_invalid' = 'agent_failed',
): z.output<Schema> => {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const at = result.error.issues[0]?.path.join('.') ?? ''
  throw new JpError(code, `The agent's message is not what ACP says${at === '' ? '' : ` at ${at}`}.`, {
    cause: result.error,
  })
}
