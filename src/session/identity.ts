import {type HostEnvironment, variable} from '../platform/host-environment.js'
import {parseSessionKey, type SessionKey} from '../platform/id-grammar.js'
import {findSessionLeader, type SessionLeader} from '../platform/session-leader.js'
import {sha256OfText} from '../platform/text-digest.js'

/** Where an identity comes from, as session files spell it. */
export type SessionSource =
  | {readonly type: 'getsid'}
  | {readonly type: 'hwnd'}
  | {readonly type: 'env'; readonly key: string}

/** A session: a terminal tab, or what `$JP_SESSION` names (W5). */
export type SessionIdentity = {
  /** The name of its files, proven to be a safe one (W32). */
  readonly key: SessionKey
  /** The leader's process id as text, or the variable's value. */
  readonly id: string
  readonly source: SessionSource
  /** When the session leader started: a reused process id is another session. Undefined where that is not known. */
  readonly leaderStarted: string | undefined
}

/** Variables that a terminal sets for each pane, in the order they are tried. */
const paneVariables = ['TMUX_PANE', 'WEZTERM_PANE', 'TERM_SESSION_ID', 'ITERM_SESSION_ID'] as const

/**
 * The session of this process: `$JP_SESSION`, the session leader, a variable of the pane; undefined when none of them
 * tells, which turns session features off.
 */
export const findSession = async (environment: HostEnvironment): Promise<SessionIdentity | undefined> =>
  fromVariable(environment, ['JP_SESSION']) ??
  identifySession(environment, await findSessionLeader(environment.platform))

/** As {@link findSession} with the leader given: pure. */
export const identifySession = (
  environment: HostEnvironment,
  leader: SessionLeader | undefined,
): SessionIdentity | undefined =>
  fromVariable(environment, ['JP_SESSION']) ?? fromLeader(leader) ?? fromVariable(environment, paneVariables)

const fromLeader = (leader: SessionLeader | undefined): SessionIdentity | undefined => {
  const key = leader === undefined ? undefined : parseSessionKey(`getsid-${leader.pid}`)
  if (leader === undefined || key === undefined) return undefined
  return {key, id: String(leader.pid), source: {type: 'getsid'}, leaderStarted: leader.started}
}

const fromVariable = (environment: HostEnvironment, names: readonly string[]): SessionIdentity | undefined => {
  for (const name of names) {
    const value = variable(environment, name)
    const key = value === undefined ? undefined : parseSessionKey(`env-${name}-${sha256OfText(value).slice(0, 16)}`)
    if (value !== undefined && key !== undefined)
      return {key, id: value, source: {type: 'env', key: name}, leaderStarted: undefined}
  }
  return undefined
}
