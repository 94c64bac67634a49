import type {PermissionOption} from '@agentclientprotocol/sdk'
import type {LastRoot} from '../conversation/local-metadata.js'
import type {LockedConversation} from '../conversation/locked-conversation.js'
import {JpError} from '../errors/jp-error.js'
import {canonicalIfPresent} from '../platform/contained-path.js'
import {type ClientPort, choiceOf} from './client-port.js'

/** What the check before a prompt depends on (D32). */
export type LastRootCheck = {
  /** The checkout that the prompt would run in. */
  readonly root: string
  /** Takes the conversation's lock; called again after a question, during which nobody is kept out. */
  lock(): Promise<LockedConversation>
  readonly client: ClientPort
  /** The agent serves this checkout alone: what moved elsewhere is an error, and nobody is asked. */
  readonly isPinned: boolean
  readonly signal: AbortSignal
}

/**
 * Locks a conversation that last ran in this checkout, or whose move to it the user allows (D27, D32).
 * @throws JpError `last_root_mismatch` with the record as it stands, `interrupted` when the user says no.
 */
export const lockWhereItRan = async (check: LastRootCheck): Promise<LockedConversation> => {
  let allowed: LastRoot | undefined
  for (;;) {
    const conversation = await check.lock()
    const record = conversation.lastRoot()
    if (record === undefined || ranIn(record, check.root) || isSame(record, allowed)) return conversation
    conversation.release()
    if (check.isPinned) throw mismatch(record, check.root)
    await askToMove(record, check)
    allowed = record
  }
}

/** True when the record names this checkout. */
export const ranIn = (record: Pick<LastRoot, 'path'>, root: string): boolean =>
  (canonicalIfPresent(record.path) ?? record.path) === root

/** Another turn elsewhere, meanwhile, is another move. */
const isSame = (record: LastRoot, allowed: LastRoot | undefined): boolean =>
  record.path === allowed?.path && record.last_used === allowed.last_used

const askToMove = async (record: LastRoot, {client, root, signal}: LastRootCheck): Promise<void> => {
  const where = record.live ? record.path : `${record.path}, which is no checkout any more`
  const toolCall = {
    toolCallId: `jp-last-root-${record.last_used ?? ''}`,
    title: `This conversation last ran in ${where}. Continue it in ${root}?`,
    kind: 'other' as const,
    status: 'pending' as const,
    rawInput: {last_root: record, root},
  }
  const chosen = await choiceOf(client, {toolCall, options: answers(root)}, signal)
  if (chosen !== 'continue-here') throw new JpError('interrupted', 'The conversation was left where it last ran.')
}

const answers = (root: string): PermissionOption[] => [
  {optionId: 'continue-here', name: `Continue in ${root}`, kind: 'allow_once'},
  {optionId: 'leave', name: 'Leave it', kind: 'reject_once'},
]

const mismatch = (record: LastRoot, root: string): JpError =>
  new JpError('last_root_mismatch', `The conversation last ran in ${record.path}; this is ${root}.`, {
    hint: `Continue it there, or bring it here with "jp query --id ID" in ${root}.`,
    details: {last_root: record},
  })
