import {headingOf} from '../../turn/heading.js'
import type {Preparation, PreparedTurn} from '../../turn/prepare-turn.js'
import {attachmentAssignments, mentionsIn, storedAttachment} from './attachment-flags.js'
import type {OpenedConversation} from './open-for-turn.js'
import {prepareQuery, type Wishes} from './prepare-query.js'
import type {QueryTurn} from './query-turn.js'
import {type WrittenMessage, writeMessage} from './write-message.js'

/** A turn whose message stands. */
export type WrittenTurn = {
  readonly prepared: PreparedTurn
  /** What is sent; undefined sends again what is stored and has no answer. */
  readonly content: string | undefined
  /** What was named for this turn (W34): one that can't be had is an error. */
  readonly namedAttachments: readonly string[]
  /** The turn is done: what was kept of the message for a next try may go. */
  done(): Promise<void>
}

/** What a turn was prepared with. */
export type TurnPreparation = {
  readonly prepared: PreparedTurn
  readonly preparation: Preparation
  readonly wishes: Wishes
}

/**
 * Makes the conversation shorter and has the message written, when either is asked for. Files that a written message
 * mentions are attached as if they had been typed. Undefined for a message that stays empty.
 * @throws JpError those of compacting, of the editor and of preparing the turn anew.
 */
export const writtenTurn = async (
  turn: QueryTurn,
  opened: OpenedConversation,
  given: TurnPreparation,
): Promise<WrittenTurn | undefined> => {
  const {scene, options, isWritten} = turn
  const {prepared} = given
  if (options.compact !== undefined) {
    const {compactFirst} = await import('./compact-first.js')
    await compactFirst(scene, opened, {spec: options.compact, prepared})
  }
  const namedAttachments = namedIn(turn, options.words)
  const done = (): Promise<void> => Promise.resolve()
  if (!isWritten) return {prepared, content: opened.content, namedAttachments, done}
  const written = await write(turn, prepared, opened)
  if (written === undefined) return undefined
  const all = [...new Set([...namedAttachments, ...namedIn(turn, [written.content])])]
  return {
    prepared: all.length === namedAttachments.length ? prepared : await preparedAnew(turn, opened, {...given, all}),
    content: written.content,
    namedAttachments: all,
    done: () => written.done(),
  }
}

/** What is named for a turn: by flags, and by words that mention files; as it is stored. */
export const namedIn = ({scene, options}: Pick<QueryTurn, 'scene' | 'options'>, words: readonly string[]): string[] => {
  const {launchCwd, checkout} = scene.place
  const typed = [...options.attachments, ...mentionsIn(words, launchCwd)]
  return typed.map((one) => storedAttachment(one, {launchCwd, root: checkout.root}))
}

/** A new conversation has its base already: what the message adds is a change of it. */
const preparedAnew = (
  {scene, options}: QueryTurn,
  {id, isNew}: OpenedConversation,
  {prepared, preparation, wishes, all}: TurnPreparation & {readonly all: readonly string[]},
): Promise<PreparedTurn> => {
  const {baseConfig} = prepared
  const conversation = isNew ? {id, baseConfig, events: []} : preparation.conversation
  const cfg = [...options.cfg, ...attachmentAssignments(all)]
  return prepareQuery(scene, {...preparation, conversation, cfg}, wishes)
}

/** Has the message written; a new conversation takes its title from it. */
const write = async (
  {scene, message, options}: QueryTurn,
  {config, model}: PreparedTurn,
  opened: OpenedConversation,
): Promise<WrittenMessage | undefined> => {
  const written = await writeMessage(scene, {
    id: opened.id,
    given: message,
    quotes: options.quote,
    model: model.name,
    events: opened.isNew ? [] : opened.conversation.read().events,
    editor: config.editor,
  })
  const heading = written === undefined ? undefined : headingOf(written.content)
  if (opened.isNew && options.title === undefined && config.conversation.title.from_heading && heading !== undefined) {
    opened.conversation.changeMetadata({title: heading})
  }
  return written
}
