import type {Configuration} from '../../config/schema.js'
import type {StoredEvent} from '../../conversation/event.js'
import {JpError} from '../../errors/jp-error.js'
import type {ConversationId} from '../../platform/id-grammar.js'
import {findEditor} from '../editor.js'
import {editText} from './edit-text.js'
import {messageFile, messageIn, quotedAnswer} from './message-file.js'
import type {QueryScene} from './query-scene.js'

/** A message that was written at the terminal; kept as the conversation's draft until its turn is done (W22). */
export type WrittenMessage = {
  readonly content: string
  /** Removes the draft, when it is still this one. */
  done(): Promise<void>
}

/** What a message is written for. */
export type MessageFor = {
  readonly id: ConversationId
  /** What was given already: on the command line, on stdin. */
  readonly given: string | undefined
  /** The text starts with the last answer, quoted. */
  readonly quotes: boolean
  readonly model: string
  readonly events: readonly StoredEvent[]
  readonly editor: Configuration['editor']
}

/**
 * Has the message written: in the editor, or where there is none on one line of the terminal. The stored draft is what it
 * starts with. Undefined when it stays empty.
 * @throws JpError `answer_required` without a terminal, `draft_conflict`, those of the editor.
 */
export const writeMessage = async (scene: QueryScene, to: MessageFor): Promise<WrittenMessage | undefined> => {
  const {invocation, place, store} = scene
  if (invocation.prompter === undefined) {
    throw new JpError('answer_required', 'There is no terminal to write the message on.', {
      hint: 'Give it as an argument or on stdin: jp query "…"',
    })
  }
  const draft = store.drafts.read(to.id)
  const text = `${to.quotes ? quotedAnswer(to.events) : ''}${to.given ?? draft?.content ?? ''}`
  const cwd = place.checkout.root
  const content =
    findEditor(to.editor, invocation.environment) === undefined
      ? (await invocation.prompter.input({message: 'Message:', ...(text === '' ? {} : {suggestion: text})})).trim()
      : messageIn(
          await editText(messageFile({...to, text}), 'QUERY_MESSAGE.md', {invocation, settings: to.editor, cwd}),
        )
  if (content === '') return undefined
  if (invocation.globals.noPersist || place.silo === undefined) return {content, done: () => Promise.resolve()}
  const written = await store.drafts.write(to.id, content, draft?.revision)
  if (written.state === 'conflict') {
    throw new JpError('draft_conflict', `The draft of ${to.id} was changed by someone else meanwhile; it was kept.`, {
      hint: 'Run the command again: the editor starts with it.',
    })
  }
  const revision = written.draft?.revision
  return {
    content,
    async done() {
      if (store.drafts.read(to.id)?.revision === revision) await store.drafts.remove(to.id, revision)
    },
  }
}
