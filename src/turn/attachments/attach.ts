import type {Configuration} from '../../config/schema.js'
import {createConversationStore} from '../../conversation/store.js'
import {isLiveRoot} from '../../workspace/roots-registry.js'
import type {ReadyTurn} from '../run-prepared-turn.js'
import {attachmentPart} from './attachment-content.js'
import {type AttachmentDeps, type Fetched, fetchAttachments} from './fetch-attachments.js'

/**
 * The attachments of a turn as parts of its prompt (W34). One that was named for this turn and can't be had is an error
 * before anything is sent; one of the stored or file configuration is a warning, and the turn goes on.
 * @throws JpError `attachment_unavailable` and its like.
 */
export const attach = async (turn: ReadyTurn, warn: (text: string) => void) => {
  const {prepared, control} = turn
  if (prepared.config.conversation.attachments.length === 0) return []
  const named = new Set(turn.namedAttachments)
  const {contents, failed} = await fetchFor({...turn, config: prepared.config, named, signal: control.signal})
  for (const {written, error} of failed) {
    if (named.has(written)) throw error
    warn(error.message)
  }
  return contents.map(attachmentPart)
}

/** Whose attachments are fetched. */
export type AttachmentScene = Pick<ReadyTurn, 'place' | 'clock' | 'pool'> &
  Pick<AttachmentDeps, 'named' | 'signal'> & {readonly config: Configuration}

/** Fetches the attachments of a configuration in its checkout. Never throws for one that can't be had. */
export const fetchFor = ({place, clock, pool, named, signal, config}: AttachmentScene): Promise<Fetched> => {
  const {checkout, silo, environment} = place
  const store = createConversationStore({
    root: checkout.root,
    silo,
    clock,
    pid: environment.pid,
    isLive: (root) => isLiveRoot(checkout.id, root),
  })
  return fetchAttachments(config.conversation.attachments, {
    root: checkout.root,
    env: environment.env,
    servers: config.providers.mcp,
    pool,
    named,
    readConversation: (id) => store.read(id),
    signal,
  })
}
