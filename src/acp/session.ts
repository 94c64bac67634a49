import type {McpServer} from '@agentclientprotocol/sdk'
import type {LockedConversation} from '../conversation/locked-conversation.js'
import type {SessionId} from '../conversation/session-id.js'
import {JpError} from '../errors/jp-error.js'
import type {ConversationId} from '../platform/id-grammar.js'
import type {TurnControl} from '../turn/turn-control.js'
import type {Models} from './models.js'
import type {ModeId} from './modes.js'
import type {SessionPlace} from './open-places.js'
import type {ToolCallIds} from './tool-call-ids.js'

/** The conversation behind a session. An unborn one is on no disk before its first prompt. */
export type SessionConversation =
  | {readonly state: 'unborn'; readonly id: ConversationId; readonly reservation: LockedConversation}
  | {readonly state: 'stored'; readonly id: ConversationId}

/** A prompt that is being worked on. */
export type RunningPrompt = {
  readonly control: TurnControl
  /** Settles when nothing of it runs any longer; never rejects. */
  readonly ended: Promise<void>
}

/** One session of a client. Idle, it holds no lock and no file (D32). */
export type Session = {
  readonly id: SessionId
  readonly at: SessionPlace
  readonly mcpServers: readonly McpServer[]
  readonly toolCallIds: ToolCallIds
  /** The id is one that the caller gave; it is kept with the conversation (D31). */
  readonly isGivenId: boolean
  /** How long a prompt waits while another process holds the conversation (W19). Unit: milliseconds. */
  readonly lockTimeoutMs: number
  /** The built-in tool behind a tool's name; undefined for any other tool. */
  builtInOf(name: string): string | undefined
  /** Notices of the configuration that the client has been told. */
  readonly told: Set<string>
  conversation: SessionConversation
  mode: ModeId
  models: Models
  /** The model that the client chose in this process; it goes to the conversation with the next prompt. */
  model: string | undefined
  running: RunningPrompt | undefined
}

/** @throws JpError `session_busy` while a prompt runs. */
export const assertIdle = (session: Session): void => {
  if (session.running === undefined) return
  throw new JpError('session_busy', `A prompt of session ${session.id} is running.`, {
    hint: 'Wait for its end, or cancel it first.',
    details: {sessionId: session.id},
  })
}

/** The error for an id that names no session here. */
export const sessionNotFound = (id: string): JpError =>
  new JpError('session_not_found', `There is no session ${JSON.stringify(id)}.`, {
    hint: 'Load or resume it first; session/list shows what is stored.',
    details: {sessionId: id},
  })
