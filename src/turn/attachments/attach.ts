import {createConversationStore} from '../../conversation/store.js'
import {isLiveRoot} from '../../workspace/roots-registry.js'
import type {ReadyTurn} from '../run-prepared-turn.js'
import {attachmentPart} from './attachment-content.js'
import {fetchAttachments} from './fetch-attachments.js'

/**
 * The attachments of a turn as parts of its prompt (W34). One that was named for this turn and can't be had is an error
 * before anything is sent; one of the stored or file configuration is a warning, and the turn goes on.
 * @throws JpError `attachment_unavailable` and its like.
 */
export const attach = async (turn: ReadyTurn, warn: (text: string) => void) => {
  const {place, prepared, clock, control, pool} = turn
  const {attachments} = prepared.config.conversation
  if (attachments.length === 0) return []
  const {checkout, silo, environment} = place
  const named = new Set(turn.namedAttachments)
  const store = createConversationStore({
    root: checkout.root,
    silo,
    clock,
    pid: environment.pid,
    isLive: (root) => isLiveRoot(checkout.id, root),
  })
  const {contents, failed} = await fetchAttachments(attachments, {
    root: checkout.root,
    env: environment.env,
    servers: prepared.config.providers.mcp,
    pool,
    named,
    readConversation: (id) => store.read(id),
    signal: control.signal,
  })
  for (const {written, error} of failed) {
    if (named.has(written)) throw error
    warn(error.message)
  }
  return contents.map(attachmentPart)
}
