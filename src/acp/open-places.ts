import {isAbsolute} from 'node:path'
import type {ExecutionContext} from '../bootstrap/execution-context.js'
import {openCheckout} from '../bootstrap/open-checkout.js'
import {openConversations} from '../bootstrap/open-conversations.js'
import type {ConversationStore} from '../conversation/store.js'
import {JpError} from '../errors/jp-error.js'
import type {TurnPlace} from '../turn/turn-place.js'
import type {AcpDeps} from './acp-deps.js'

/** A checkout that sessions run in, with its conversations. */
export type SessionPlace = {readonly place: TurnPlace; readonly store: ConversationStore}

/** The checkouts of this process, each opened once for a cwd (S29). */
export interface OpenPlaces {
  /**
   * The checkout above a session's cwd (D27); of an agent that was started for one checkout, that one or none (D6).
   * @throws JpError `request_invalid` (a relative cwd), `workspace_not_found`, `workspace_mismatch`, and as the bootstrap.
   */
  open(cwd: string): Promise<SessionPlace>
  /** The one checkout that this agent was started for. */
  readonly pinned: SessionPlace | undefined
}

/**
 * Opens the checkout of `-w`, if there is one.
 * @throws JpError as the bootstrap: a target that names nothing ends the agent before it serves.
 */
export const createOpenPlaces = async (deps: AcpDeps): Promise<OpenPlaces> => {
  const {launch} = deps
  const byCwd = new Map<string, Promise<SessionPlace>>()
  const load = async (cwd: string, workspace: readonly string[]): Promise<SessionPlace> => {
    const environment = {...launch.environment, cwd}
    const context = await openCheckout('load', {
      ...launch,
      environment,
      globals: {...launch.globals, workspace},
      prompter: undefined,
    })
    return placeOf(deps, context)
  }
  const target = launch.globals.workspace
  const pinned = target.length === 0 ? undefined : await load(launch.environment.cwd, target)
  return {
    pinned,
    async open(cwd) {
      if (!isAbsolute(cwd)) throw new JpError('request_invalid', `The cwd of a session must be absolute, not ${cwd}.`)
      const known = byCwd.get(cwd)
      if (known !== undefined) return known
      const opening = load(cwd, []).then((opened) => checkPinned(opened, pinned, cwd))
      byCwd.set(cwd, opening)
      opening.catch(() => byCwd.delete(cwd))
      return opening
    },
  }
}

/** A conversation store and a place for turns, of a checkout that was opened. */
export const placeOf = (
  {launch}: AcpDeps,
  context: Pick<ExecutionContext, 'checkout' | 'silo' | 'configCwd' | 'launchCwd'>,
): SessionPlace => {
  const {checkout, silo, configCwd, launchCwd} = context
  const {clock, environment, directories} = launch
  return {
    place: {checkout, silo, configCwd, launchCwd, environment, directories},
    store: openConversations({checkout, silo}, {clock, directories, environment}),
  }
}

const checkPinned = (opened: SessionPlace, pinned: SessionPlace | undefined, cwd: string): SessionPlace => {
  const {root} = opened.place.checkout
  if (pinned === undefined || pinned.place.checkout.root === root) return opened
  throw new JpError('workspace_mismatch', `This agent serves ${pinned.place.checkout.root}, not ${cwd}.`, {
    hint: `Start another: jp acp -w ${root}`,
    details: {workspaceCwd: pinned.place.checkout.root},
  })
}
