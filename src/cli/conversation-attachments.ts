import type {ExecutionContext} from '../bootstrap/execution-context.js'
import {rememberOwnSettings} from '../config/own-settings.js'
import type {Resolution} from '../config/pipeline.js'
import type {ConversationEntry} from '../conversation/entry.js'
import type {LockedConversation} from '../conversation/locked-conversation.js'
import {JpError} from '../errors/jp-error.js'
import {fetchFor} from '../turn/attachments/attach.js'
import type {AttachmentContent} from '../turn/attachments/attachment-content.js'
import {pathsOf} from '../turn/attachments/attachment-files.js'
import {type AttachmentSpec, parseAttachment} from '../turn/attachments/attachment-spec.js'
import {createLazyPool} from '../turn/lazy-pool.js'
import {type ConfiguredConversation, turnConfiguration} from '../turn/turn-configuration.js'
import {assertPersists, type ConversationDesk, turnPlaceOf} from './conversation-desk.js'
import {interruptible} from './interruptible.js'
import {storedAttachment} from './query/attachment-flags.js'

/** An attachment of a conversation, as JSON: `kind` is `file`, `cmd`, `http`, `mcp` or `jp`. */
export type ListedAttachment = {
  readonly attachment: string
  readonly kind: AttachmentSpec['scheme']
  /** Takes files away that those before it brought. */
  readonly excludes: boolean
}

type Configured = Resolution['config']['conversation']['attachments'][number]

/** What the next turn of a conversation attaches (W34): of files, and of the conversation itself. */
export const listAttachments = async (
  desk: ConversationDesk,
  entry: ConversationEntry,
): Promise<readonly ListedAttachment[]> => {
  const {config} = await resolved(desk, desk.store.read(entry.id))
  return config.conversation.attachments.map(listed)
}

/**
 * Attaches from the next turn on; gives what was added, as it is stored.
 * @throws JpError `usage` for a kind that does not exist, `attachment_unavailable` for a file that does not, those of locking.
 */
export const addAttachments = async (
  desk: ConversationDesk,
  entry: ConversationEntry,
  typed: readonly string[],
): Promise<readonly string[]> => {
  const stored = storedForms(desk.context, typed)
  for (const one of stored) assertFits(one, desk.context.checkout.root)
  return held(desk, entry, async (conversation) => {
    const {attachments} = (await resolved(desk, conversation.read())).config.conversation
    const there = attachments.map((one) => listed(one).attachment)
    const added = stored.filter((one) => !there.includes(one))
    if (added.length > 0) await change(desk, conversation, `conversation.attachments:+=${JSON.stringify(added)}`)
    return added
  })
}

/**
 * Attaches something no longer; gives what was taken off.
 * @throws JpError `not_attached` for what is not attached, those of locking.
 */
export const removeAttachments = (
  desk: ConversationDesk,
  entry: ConversationEntry,
  typed: readonly string[],
): Promise<readonly string[]> =>
  held(desk, entry, async (conversation) => {
    const {attachments} = (await resolved(desk, conversation.read())).config.conversation
    const names = attachments.map((one) => listed(one).attachment)
    const gone = typed.map((one) => {
      const found = [one, ...storedForms(desk.context, [one])].find((name) => names.includes(name))
      if (found === undefined) throw notAttached(one, names)
      return found
    })
    const rest = attachments.filter((one) => !gone.includes(listed(one).attachment))
    await change(desk, conversation, `conversation.attachments:=${JSON.stringify(rest)}`)
    return gone
  })

/** What the model is given of them; those that can't be had are said. @throws JpError `interrupted`. */
export const readAttachments = async (
  desk: ConversationDesk,
  entry: ConversationEntry,
): Promise<readonly AttachmentContent[]> => {
  const {invocation, output} = desk
  const {config} = await resolved(desk, desk.store.read(entry.id))
  const {directories, environment, clock, version} = invocation
  const servers = createLazyPool({directories, environment, version, onNotice: (text) => output.warn(text)})
  const place = turnPlaceOf(desk)
  try {
    const {contents, failed} = await interruptible('Interrupted.', (signal) =>
      fetchFor({place, clock, config, named: new Set(), pool: () => servers.pool(config.mcp), signal}),
    )
    for (const {error} of failed) output.warn(error.message)
    return contents
  } finally {
    await servers.close()
  }
}

const resolved = async (desk: ConversationDesk, conversation: ConfiguredConversation): Promise<Resolution> => {
  const resolution = await turnConfiguration(turnPlaceOf(desk), conversation, desk.invocation.globals.cfg)
  for (const {text} of resolution.notices) desk.output.warn(text)
  return resolution
}

/** Under the lock, so that what a turn changes meanwhile is not undone. */
const held = async <Result>(
  {store, invocation}: ConversationDesk,
  {id}: ConversationEntry,
  act: (conversation: LockedConversation) => Promise<Result>,
): Promise<Result> => {
  assertPersists(invocation)
  const conversation = store.lock(id)
  try {
    return await act(conversation)
  } finally {
    conversation.release()
  }
}

/** Records a change of the conversation's own configuration, as a turn with that `--cfg` would. */
const change = async (desk: ConversationDesk, conversation: LockedConversation, assignment: string): Promise<void> => {
  const resolution = await turnConfiguration(turnPlaceOf(desk), conversation.read(), [assignment])
  const {delta} = resolution
  if (delta === undefined) return
  conversation.append([{type: 'config_delta', delta}])
  rememberOwnSettings(desk.context.silo, conversation.id, resolution)
}

const listed = (configured: Configured): ListedAttachment => {
  const {written, scheme, excludes} = parseAttachment(configured)
  return {attachment: written, kind: scheme, excludes}
}

const storedForms = ({launchCwd, checkout}: ExecutionContext, typed: readonly string[]): string[] =>
  typed.map((one) => storedAttachment(one, {launchCwd, root: checkout.root}))

/** A kind that exists, and for a file one that is there. */
const assertFits = (stored: string, root: string): void => {
  const {scheme, target, excludes} = parseAttachment(stored)
  if (scheme !== 'file' || excludes || pathsOf(target, root).length > 0) return
  throw new JpError('attachment_unavailable', `Can't attach ${stored}: there is no such file.`)
}

const notAttached = (typed: string, names: readonly string[]): JpError =>
  new JpError('not_attached', `${typed} is not attached.`, {
    hint: names.length === 0 ? 'Nothing is.' : `There are: ${names.join(', ')}.`,
  })
