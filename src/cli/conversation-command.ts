import {openConversations} from '../bootstrap/open-conversations.js'
import {createTargetScene} from '../bootstrap/target-scene.js'
import type {ConversationEntry} from '../conversation/entry.js'
import type {LockedConversation} from '../conversation/locked-conversation.js'
import type {TargetScene} from '../conversation/resolve-target.js'
import type {ConversationStore} from '../conversation/store.js'
import type {ConversationTarget} from '../conversation/target.js'
import {JpError} from '../errors/jp-error.js'
import type {ConversationId} from '../platform/id-grammar.js'
import {findSession, type SessionIdentity} from '../session/identity.js'
import {assertPersists, type ConversationDesk} from './conversation-desk.js'
import {WorkspaceCommand} from './workspace-command.js'

/** A command about conversations: its store, its session, and the targets that were typed. */
export abstract class ConversationCommand extends WorkspaceCommand {
  #store: ConversationStore | undefined
  #session: SessionIdentity | undefined
  #scene: TargetScene | undefined

  override async init(): Promise<void> {
    await super.init()
    this.#session = await findSession(this.invocation.environment)
  }

  /** The conversations of the chosen checkout. */
  protected get store(): ConversationStore {
    this.#store ??= openConversations(this.context, {...this.invocation, session: this.#session?.key})
    return this.#store
  }

  protected get session(): SessionIdentity | undefined {
    return this.#session
  }

  /** What the work behind the command is handed. */
  protected get desk(): ConversationDesk {
    const {invocation, context, store, output} = this
    return {
      invocation,
      context,
      store,
      output,
      resolveTargets: (typed) => this.resolveTargets(typed),
      confirm: (question, plan, isYes) => this.confirm(question, plan, isYes),
      locked: (id, act, archived) => this.locked(id, act, archived),
    }
  }

  /** What targets are looked up in. */
  protected async scene(): Promise<TargetScene> {
    const {readStdinLines} = await import('./stdin-lines.js')
    this.#scene ??= createTargetScene({
      store: this.store,
      silo: this.context.silo,
      session: this.#session,
      prompter: this.invocation.prompter,
      readIds: readStdinLines,
    })
    return this.#scene
  }

  /**
   * The conversations that were named. Without a name: the session's active one, then what `conversation.default_id`
   * says, then a question.
   * @throws JpError as `resolveTarget`.
   */
  protected async resolveTargets(typed: readonly string[]): Promise<readonly ConversationEntry[]> {
    const [{parseTarget}, {resolveTarget}] = await Promise.all([
      import('../conversation/target.js'),
      import('../conversation/resolve-target.js'),
    ])
    const scene = await this.scene()
    if (typed.length === 0) return resolveTarget(scene, await this.defaultTarget(scene))
    const found: ConversationEntry[] = []
    for (const text of typed) found.push(...(await resolveTarget(scene, withoutHelp(parseTarget(text)))))
    return found.filter((entry, index) => found.findIndex(({id}) => id === entry.id) === index)
  }

  /** What no target stands for; some commands have another default. Configuration is read only when it decides. */
  protected async defaultTarget(scene: TargetScene): Promise<Exclude<ConversationTarget, {kind: 'help'}>> {
    if (scene.active !== undefined) return {kind: 'rule', rule: 'active'}
    const [{parseDefaultId}, {resolveForRun}] = await Promise.all([
      import('../conversation/target.js'),
      import('./configuration.js'),
    ])
    const {config} = await resolveForRun(this.invocation, this.context, {isQuiet: true})
    const target = parseDefaultId(config.conversation.default_id ?? 'ask')
    return target === undefined || target.kind === 'help' ? {kind: 'pick', among: 'live'} : target
  }

  /** As {@link resolveTargets}, for commands that act on one. @throws JpError `usage` when several are named. */
  protected async resolveOne(typed: string | undefined): Promise<ConversationEntry> {
    const found = await this.resolveTargets(typed === undefined ? [] : [typed])
    const [only] = found
    if (only !== undefined && found.length === 1) return only
    if (only === undefined) throw new JpError('conversation_not_found', `"${typed}" names no conversation here.`)
    throw new JpError('usage', `"${typed}" names ${found.length} conversations; this command takes one.`)
  }

  /**
   * Shows what a command will do and asks whether it shall. Without a terminal the flag has to say so.
   * @param plan what will happen, a line each.
   * @throws JpError `answer_required`, `selection_cancelled`.
   */
  protected async confirm(question: string, plan: readonly string[], isYes: boolean): Promise<void> {
    assertPersists(this.invocation)
    const {prompter} = this.invocation
    if (isYes || prompter === undefined) for (const line of plan) this.output.note(line)
    if (isYes) return
    if (prompter === undefined) {
      throw new JpError('answer_required', `${question} There is no terminal to ask on.`, {
        hint: 'Add --yes to do it.',
      })
    }
    if (await prompter.confirm({message: question, detail: plan.join('\n')})) return
    throw new JpError('selection_cancelled', 'Nothing was changed.')
  }

  /** Under the lock of a conversation. */
  protected locked<Result>(id: ConversationId, act: (held: LockedConversation) => Result, archived = false): Result {
    assertPersists(this.invocation)
    const held = this.store.lock(id, {archived})
    try {
      return act(held)
    } finally {
      held.release()
    }
  }

  /** Prints what was done to which conversations. */
  protected listDone(
    ids: readonly ConversationId[],
    {verb, none}: {readonly verb: string; readonly none: string},
  ): void {
    if (this.output.isJson || ids.length === 0)
      return this.output.list(
        ids.map((id) => ({id})),
        [],
        none,
      )
    for (const id of ids) this.output.line(`${verb} ${id}.`, {id})
  }

  /** Ends with an exit code of the command's own, and no error (Q2). */
  protected endWith(code: number): void {
    process.exitCode = code
  }

  /** Says which conversations can't be read (W20). */
  protected warnOfCorrupt(corrupt: readonly {readonly reason: string}[]): void {
    for (const {reason} of corrupt) this.output.warn(`Passed over: ${reason}`)
    if (corrupt.length > 0) this.output.note('"jp doctor" shows what is wrong and what can be done.')
  }
}

const withoutHelp = (target: ConversationTarget): Exclude<ConversationTarget, {kind: 'help'}> => {
  if (target.kind !== 'help') return target
  throw new JpError('usage', 'The ways to name a conversation are on the help page of targets.', {
    hint: 'Run "jp help targets".',
  })
}
