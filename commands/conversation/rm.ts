import * as Flags from '@oclif/core/flags'
import {ConversationCommand} from '../../src/cli/conversation-command.js'
import {assertDraftsMayGo, type Doomed, removalPlan} from '../../src/cli/conversation-removal.js'
import {expiredOf} from '../../src/conversation/expiry.js'
import {parseMoment} from '../../src/conversation/moment.js'
import {hasCode, JpError} from '../../src/errors/jp-error.js'
import {type ConversationId, decisecondsOf, parseConversationId} from '../../src/platform/id-grammar.js'
import {activeInAnySession} from '../../src/session/conversation-history.js'

export default class ConversationRm extends ConversationCommand {
  static override summary = 'Remove conversations from this machine and from the checkout.'
  static override description =
    'Shows what will go and asks; without a terminal it needs --yes. An unsent draft is lost only when that is said.'
  static override strict = false
  static override usage = 'conversation rm TARGET... [--yes]'
  static override flags = {
    from: Flags.string({summary: 'Those created since then: 3d, 2026-09-01, an id.', helpValue: 'TIME'}),
    until: Flags.string({summary: 'Those created until then.', helpValue: 'TIME'}),
    expired: Flags.boolean({summary: 'The temporary ones whose time is over and that no session has active.'}),
    'discard-draft': Flags.boolean({summary: 'Remove unsent drafts too.'}),
    yes: Flags.boolean({char: 'y', summary: "Don't ask."}),
  }

  override async run(): Promise<void> {
    const {argv, flags} = await this.parse(ConversationRm)
    const doomed = await this.#doomed(argv.map(String), flags)
    if (doomed.length === 0) return this.output.list([], [], 'There is nothing to remove.')
    const isAsked = !flags.yes && this.invocation.prompter !== undefined
    assertDraftsMayGo(doomed, flags['discard-draft'] || isAsked)
    const question = doomed.length === 1 ? 'Remove it?' : `Remove these ${doomed.length} conversations?`
    await this.confirm(question, removalPlan(doomed), flags.yes)
    for (const {id, draft} of doomed) this.store.remove(id, draft?.revision)
    if (this.output.isJson) return this.output.json(doomed.map(({id}) => ({id})))
    for (const {id} of doomed) this.output.line(`Removed ${id}.`, {id})
  }

  async #doomed(
    typed: readonly string[],
    choice: {readonly from: string | undefined; readonly until: string | undefined; readonly expired: boolean},
  ): Promise<readonly Doomed[]> {
    const now = this.invocation.clock.nowMs()
    const [from, until] = [choice.from, choice.until].map((text) =>
      text === undefined ? undefined : parseMoment(text, now),
    )
    const isRange = from !== undefined || until !== undefined
    if (typed.length === 0 && !isRange && !choice.expired) {
      throw new JpError('usage', 'Say which conversations: a target, --from, --until or --expired.')
    }
    const ids = typed.length > 0 ? await this.#named(typed) : this.#all(choice.expired, now)
    const inRange = ids.filter((id) => {
      const created = decisecondsOf(id) * 100
      return (from === undefined || created >= from) && (until === undefined || created <= until)
    })
    return inRange.map((id) => this.#look(id))
  }

  #all(expired: boolean, nowMs: number): readonly ConversationId[] {
    const {entries} = this.store.list()
    if (!expired) return entries.map(({id}) => id)
    const {silo} = this.context
    const active =
      silo === undefined ? new Set<ConversationId>() : activeInAnySession(silo, (id) => this.store.standing(id))
    return expiredOf(entries, {nowMs, active, drafts: this.store.drafts}).map(({id}) => id)
  }

  /** A damaged conversation can't be looked up, but it can be named by its id. */
  async #named(typed: readonly string[]): Promise<readonly ConversationId[]> {
    const ids: ConversationId[] = []
    for (const text of typed) {
      const id = parseConversationId(text)
      if (id !== undefined && this.store.standing(id) !== 'gone') ids.push(id)
      else ids.push(...(await this.resolveTargets([text])).map((entry) => entry.id))
    }
    return [...new Set(ids)]
  }

  #look(id: ConversationId): Doomed {
    const draft = this.store.drafts.read(id)
    try {
      return {id, entry: this.store.find(id), draft}
    } catch (error) {
      if (!hasCode(error, 'conversation_corrupt', 'file_unreadable', 'file_refused')) throw error
      return {id, entry: undefined, draft}
    }
  }
}
