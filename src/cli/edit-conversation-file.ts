import type {EditedFiles} from '../conversation/edited-files.js'
import type {ConversationEntry} from '../conversation/entry.js'
import {JpError} from '../errors/jp-error.js'
import {readText} from '../platform/files.js'
import type {ConversationDesk} from './conversation-desk.js'

/** The files of a conversation that can be edited, by the flag that names each. */
const files = {metadata: 'metadata.json', events: 'events.json', 'base-config': 'base_config.json'} as const
export type FileFlag = keyof typeof files

/** The file that the flags name; undefined for none. */
export const namedFile = (flags: Readonly<Record<FileFlag, boolean>>): FileFlag | undefined =>
  (['metadata', 'events', 'base-config'] as const).find((name) => flags[name])

/** The name of a file on the disk. */
export const fileName = (flag: FileFlag): string => files[flag]

/**
 * Has one file of a conversation edited, in the editor or from stdin, and replaces it once that was confirmed.
 * @returns false when nothing was changed.
 * @throws JpError `conversation_corrupt` for what is no such file, `conversation_locked` when it changed meanwhile.
 */
export const editConversationFile = async (
  desk: ConversationDesk,
  {id, archived}: ConversationEntry,
  {flag, isYes}: {readonly flag: FileFlag; readonly isYes: boolean},
): Promise<boolean> => {
  const name = files[flag]
  const before = currentText(desk, id, flag) ?? '{}\n'
  const after = await newText(desk, name, before)
  if (after === before) return false
  const [old, now] = [before, after].map((text) => Buffer.byteLength(text))
  await desk.confirm('Replace it?', [`Replace ${name} of ${id}: ${old} bytes become ${now}.`], isYes)
  desk.locked(
    id,
    (held) => {
      const current = currentText(desk, id, flag)
      if (current !== undefined && current !== before) throw changedMeanwhile(name)
      held.replaceFiles(editedFiles(flag, after))
    },
    archived,
  )
  return true
}

const currentText = ({store}: ConversationDesk, id: ConversationEntry['id'], flag: FileFlag): string | undefined => {
  const paths = store.paths(id)
  const path = {metadata: paths.metadata, events: paths.events, 'base-config': paths.baseConfig}[flag]
  return path === undefined ? undefined : readText(path, {noFollow: true})
}

const newText = async ({invocation, context}: ConversationDesk, name: string, before: string): Promise<string> => {
  if (invocation.prompter === undefined) {
    const {readStdinText} = await import('./stdin-lines.js')
    return readStdinText()
  }
  const [{resolveForRun}, {editText}] = await Promise.all([
    import('./configuration.js'),
    import('./query/edit-text.js'),
  ])
  const {editor} = (await resolveForRun(invocation, context, {isQuiet: true})).config
  return editText(before, name, {invocation, settings: editor, cwd: context.checkout.root})
}

const editedFiles = (flag: FileFlag, text: string): EditedFiles =>
  flag === 'metadata' ? {metadata: text} : flag === 'events' ? {events: text} : {baseConfig: text}

const changedMeanwhile = (name: string): JpError =>
  new JpError('conversation_locked', `${name} changed while it was edited; nothing was written.`, {
    hint: 'Run the command again.',
  })
