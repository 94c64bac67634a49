import type {ConversationId, WorkspaceId} from '../platform/id-grammar.js'
import {sha256OfText} from '../platform/text-digest.js'

/** What addresses a conversation as a session of the daemon or of an editor: a lower-case UUID. */
export type SessionId = string & {readonly __brand: 'SessionId'}

const grammar = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** The session id that `text` spells, or undefined. Upper case is accepted. */
export const parseSessionId = (text: string): SessionId | undefined => {
  const lower = text.toLowerCase()
  return grammar.test(lower) ? (lower as SessionId) : undefined
}

/**
 * The session id of a conversation (D31): a UUID of version 8, made by hash, so that whoever lists or loads sessions has
 * nothing to write.
 */
export const deriveSessionId = (workspace: WorkspaceId, conversation: ConversationId): SessionId => {
  const bytes = Buffer.from(sha256OfText(`jp session\n${workspace}\n${conversation}`), 'hex').subarray(0, 16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-') as SessionId
}
