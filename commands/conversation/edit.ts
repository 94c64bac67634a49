import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import {ConversationCommand} from '../../src/cli/conversation-command.js'
import {editPlan, isHarmless, metadataChangeOf} from '../../src/cli/conversation-edit.js'
import type {EditedFiles} from '../../src/conversation/edited-files.js'
import type {ConversationEntry} from '../../src/conversation/entry.js'
import type {LockedConversation} from '../../src/conversation/locked-conversation.js'
import {JpError} from '../../src/errors/jp-error.js'
import {readText} from '../../src/platform/files.js'

const file = {metadata: 'metadata.json', events: 'events.json', 'base-config': 'base_config.json'} as const
type FileFlag = keyof typeof file

export default class ConversationEdit extends ConversationCommand {
  static override summary = "Change a conversation's title, pin, place or expiry, or edit one of its files."
  static override description =
    'What would take something away is shown and asked for; without a terminal it needs --yes. A file is edited in your editor; without a terminal its new content is read from stdin. Drafts and machine-local records are never touched.'
  static override args = {
    target: Args.string({description: 'Which one; the active one of this session by default.'}),
  }
  static override flags = {
    title: Flags.string({summary: 'Give it this title.', helpValue: 'TITLE'}),
    'no-title': Flags.boolean({summary: 'Take its title away.', exclusive: ['title']}),
    pin: Flags.boolean({summary: 'List it first, or no longer.', allowNo: true}),
    local: Flags.boolean({summary: 'Keep it out of the checkout, or put a copy there.', allowNo: true}),
    tmp: Flags.string({summary: 'Make it temporary: 12h, 3d, or now.', helpValue: 'SPAN'}),
    'no-tmp': Flags.boolean({summary: 'Keep it for good.', exclusive: ['tmp']}),
    events: Flags.boolean({char: 'e', summary: 'Edit events.json.', exclusive: ['metadata', 'base-config']}),
    metadata: Flags.boolean({char: 'm', summary: 'Edit metadata.json.', exclusive: ['base-config']}),
    'base-config': Flags.boolean({char: 'b', summary: 'Edit base_config.json.'}),
    yes: Flags.boolean({char: 'y', summary: "Don't ask."}),
  }

  override async run(): Promise<void> {
    const {args, flags} = await this.parse(ConversationEdit)
    const entry = await this.resolveOne(args.target)
    const edited = (Object.keys(file) as FileFlag[]).find((name) => flags[name])
    if (edited !== undefined) return this.#editFile(entry, edited, flags.yes)
    const change = metadataChangeOf(flags, entry.id, this.invocation.clock.nowMs())
    const plan = editPlan(entry, flags, change)
    if (plan.length === 0)
      throw new JpError('usage', 'Say what to change.', {hint: 'See "jp conversation edit --help".'})
    if (!isHarmless(flags)) await this.confirm('Do it?', plan, flags.yes)
    const act = (held: LockedConversation): void => {
      if (Object.keys(change).length > 0) held.changeMetadata(change)
      if (flags.local !== undefined) held.setLocal(flags.local)
    }
    this.locked(entry.id, act, entry.archived)
    this.output.line(plan.join('\n'), {id: entry.id})
  }

  async #editFile(entry: ConversationEntry, name: FileFlag, isYes: boolean): Promise<void> {
    const paths = this.store.paths(entry.id)
    const path = {metadata: paths.metadata, events: paths.events, 'base-config': paths.baseConfig}[name]
    const before = path === undefined ? '{}\n' : readText(path, {noFollow: true})
    const after = await this.#newText(file[name], before)
    if (after === before) return this.output.note('Nothing was changed.')
    const bytes = (text: string): number => Buffer.byteLength(text)
    await this.confirm(
      'Replace it?',
      [`Replace ${file[name]} of ${entry.id}: ${bytes(before)} bytes become ${bytes(after)}.`],
      isYes,
    )
    const act = (held: LockedConversation): void => {
      const now = this.store.paths(entry.id)
      const current = {metadata: now.metadata, events: now.events, 'base-config': now.baseConfig}[name]
      if (current !== undefined && readText(current, {noFollow: true}) !== before) throw changedMeanwhile(file[name])
      held.replaceFiles(editedFiles(name, after))
    }
    this.locked(entry.id, act, entry.archived)
    this.output.line(`Replaced ${file[name]} of ${entry.id}.`, {id: entry.id})
  }

  async #newText(name: string, before: string): Promise<string> {
    if (this.invocation.prompter === undefined) {
      const {readStdinText} = await import('../../src/cli/stdin-lines.js')
      return readStdinText()
    }
    const [{resolveForRun}, {editText}] = await Promise.all([
      import('../../src/cli/configuration.js'),
      import('../../src/cli/query/edit-text.js'),
    ])
    const {editor} = (await resolveForRun(this.invocation, this.context, {isQuiet: true})).config
    return editText(before, name, {invocation: this.invocation, settings: editor, cwd: this.context.checkout.root})
  }
}

const editedFiles = (name: FileFlag, text: string): EditedFiles =>
  name === 'metadata' ? {metadata: text} : name === 'events' ? {events: text} : {baseConfig: text}

const changedMeanwhile = (name: string): JpError =>
  new JpError('conversation_locked', `${name} changed while it was edited; nothing was written.`, {
    hint: 'Run the command again.',
  })
