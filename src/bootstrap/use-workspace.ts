import {JpError} from '../errors/jp-error.js'
import {findSession, type SessionIdentity} from '../session/identity.js'
import {select} from '../session/selection.js'
import {readSelection, updateSelection} from '../session/selection-store.js'
import type {Checkout} from '../workspace/checkout.js'
import {isLiveRoot} from '../workspace/roots-registry.js'
import {chooseCheckout} from './choose-checkout.js'
import {holderOf, type Launch} from './launch.js'
import {parseTarget} from './target.js'

/** What `jp w use` did: a selection, or (for `cwd`) none any more. */
export type Used = {readonly checkout: Checkout; readonly sticky: boolean} | 'cleared'

/**
 * Records a session's workspace (W6). Without a target: the one before, or a picker where that is gone; `cwd` clears the
 * record. Opens and registers nothing.
 * @throws JpError `session_required` without a terminal, `usage`, and as `chooseCheckout`.
 */
export const useWorkspace = async (
  launch: Launch,
  asked: {readonly target: string | undefined; readonly always: boolean},
): Promise<Used> => {
  const session = await sessionOf(launch)
  const target = asked.target ?? (hasPrevious(launch, session) ? 'session' : '?')
  const write = (change: Parameters<typeof updateSelection>[2]): Promise<void> =>
    updateSelection(launch.directories.data, {session, holder: holderOf(launch)}, change)
  if (parseTarget(target).kind === 'cwd') {
    if (asked.always) throw new JpError('usage', 'Following the cwd and --always exclude each other.')
    await write((selection) => ({...selection, history: [], sticky: false}))
    return 'cleared'
  }
  const {chosen} = await chooseCheckout(launch, {target, mayAsk: true, mayName: false})
  if (chosen === undefined) throw new JpError('workspace_not_found', `"${target}" names no workspace.`)
  const {checkout} = chosen
  await write((selection) => select(selection, checkout, {atMs: launch.clock.nowMs(), sticky: asked.always}))
  return {checkout, sticky: asked.always}
}

const sessionOf = async (launch: Launch): Promise<SessionIdentity> => {
  const session = launch.prompter === undefined ? undefined : await findSession(launch.environment)
  if (session !== undefined && !launch.globals.noPersist) return session
  const why = launch.globals.noPersist
    ? '--no-persist stores no selection'
    : 'runs without a terminal follow the cwd or -w'
  throw new JpError('session_required', `There is no session to select a workspace for: ${why}.`, {
    hint: 'Name the workspace for one command: jp -w TARGET …',
  })
}

const hasPrevious = (launch: Launch, session: SessionIdentity): boolean => {
  const entry = readSelection(launch.directories.data, session).selection.history[1]
  return entry !== undefined && isLiveRoot(entry.id, entry.root)
}
