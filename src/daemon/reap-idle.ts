import type {Clock} from '../platform/clock.js'
import type {WorkspaceRegistry} from './registry.js'

/** How long a session may live that nobody reads, asks or prompts, and how often that is looked at. Unit: milliseconds. */
export const idleSessionMs = 30 * 60_000
const lookEveryMs = 60_000

/** Closes the sessions that nobody has used for a while: their clients are gone without a word. What they said is stored. */
export const closeIdleSessions = async (registry: WorkspaceRegistry, nowMs: number): Promise<void> => {
  const idle = registry.runtimes.flatMap(({bridge}) =>
    bridge.sessions
      .filter((session) => session.readers === 0 && session.turns.running === undefined)
      .filter((session) => nowMs - session.updatedAtMs >= idleSessionMs)
      .map((session) => bridge.close(session.id, {type: 'session_closed', reason: 'idle_timeout'})),
  )
  await Promise.all(idle)
}

/** Looks for idle sessions from now on; gives the function that stops it. */
export const reapIdleSessions = (registry: WorkspaceRegistry, clock: Clock): (() => void) => {
  const timer = setInterval(() => void closeIdleSessions(registry, clock.nowMs()), lookEveryMs)
  timer.unref()
  return () => clearInterval(timer)
}
