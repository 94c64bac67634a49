import {useConversation} from '../bootstrap/use-conversation.js'
import type {ConversationEntry} from '../conversation/entry.js'
import {parseLabels} from '../conversation/labels.js'
import {parseMoment} from '../conversation/moment.js'
import {JpError} from '../errors/jp-error.js'
import type {ConversationId} from '../platform/id-grammar.js'
import type {SessionIdentity} from '../session/identity.js'
import type {Labels} from '../turn/configured-labels.js'
import {type ConversationDesk, turnPlaceOf} from './conversation-desk.js'
import {interruptible} from './interruptible.js'

/** A fork as typed. */
export type ForkFlags = {
  readonly first?: number | undefined
  readonly last?: number | undefined
  /** Turns since then, and until then. */
  readonly from?: string | undefined
  readonly until?: string | undefined
  readonly 'no-turns': boolean
  readonly title?: string | undefined
  readonly label?: readonly string[] | undefined
  readonly 'reset-labels': boolean
  /** Empty for the configured rules. */
  readonly compact?: string | undefined
  readonly activate: boolean
}

/**
 * Starts a new conversation from a part of another; gives its id.
 * @throws JpError `usage`, those of reading the original, of compacting and of activating.
 */
export const forkConversation = async (
  desk: ConversationDesk,
  original: ConversationEntry,
  flags: ForkFlags & {readonly session: SessionIdentity | undefined},
): Promise<ConversationId> => {
  const {store, invocation, context} = desk
  const {clock, environment, globals} = invocation
  if (globals.noPersist) throw new JpError('usage', '--no-persist stores nothing, and a fork is stored.')
  const moment = (text: string | undefined) => (text === undefined ? undefined : parseMoment(text, clock.nowMs()))
  const {first, last, title, session, compact} = flags
  const labels = {...(await configuredOnFork(desk, original.id)), ...parseLabels(flags.label ?? [])}
  const held = store.fork(
    original.id,
    {first, last, fromMs: moment(flags.from), untilMs: moment(flags.until), noTurns: flags['no-turns']},
    {title, labels, resetLabels: flags['reset-labels']},
  )
  held.release()
  if (compact !== undefined) {
    const {compactConversation} = await import('./compact-conversation.js')
    await compactConversation(desk, held.id, {compact: compact === '' ? [] : [compact], isDry: false})
  }
  if (flags.activate) {
    const {silo} = context
    await useConversation({store, session, silo, clock, pid: environment.pid, isReadOnly: false}, held.id)
  }
  return held.id
}

/** What `conversation.labels` puts on forks. */
const configuredOnFork = async (desk: ConversationDesk, original: ConversationId): Promise<Labels> => {
  const {store, invocation, context} = desk
  const [{turnConfiguration}, {configuredLabels}] = await Promise.all([
    import('../turn/turn-configuration.js'),
    import('../turn/configured-labels.js'),
  ])
  const {environment, globals, prompter, output} = invocation
  const {config} = await turnConfiguration(turnPlaceOf(desk), store.read(original), globals.cfg)
  return interruptible('Interrupted: nothing was forked.', (signal) =>
    configuredLabels(
      config.conversation.labels,
      {labelled: 'fork', keys: []},
      {
        root: context.checkout.root,
        env: environment.env,
        prompter,
        warn: (text) => output.warn(text),
        signal,
      },
    ),
  )
}
