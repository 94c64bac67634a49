import {hasCode} from '../errors/jp-error.js'
import type {Problem} from '../platform/problem.js'
import {isProcessAlive} from '../platform/processes.js'
import {type KnownDaemon, reportOf} from './reach-daemon.js'
import {createRegistrations, type Registration, type Registrations} from './registration.js'

/**
 * What daemons of this user left, and those that are there and do not answer (Q9). Asks the running ones for their
 * status on loopback; writes nothing.
 */
export const diagnoseDaemons = async (dataDirectory: string): Promise<readonly Problem[]> => {
  const registrations = createRegistrations(dataDirectory)
  const found = await Promise.all(registrations.all().map((known) => problemOf(known, registrations)))
  return found.flatMap((problem) => problem ?? [])
}

/** Without a process id it is the token that a daemon on a fixed port keeps for its next start. */
const problemOf = async (known: Registration, registrations: Registrations): Promise<Problem | undefined> => {
  const {pid, url, port} = known
  if (pid === undefined) return undefined
  const state = isProcessAlive(pid) ? await stateOf({...known, pid}) : 'gone'
  if (state === 'well') return undefined
  if (state === 'silent')
    return {
      code: 'daemon_silent',
      gravity: 'fault',
      path: url,
      reason: `process ${pid} is there, and does not answer as a daemon`,
      advice: `if it is a daemon, end it: kill ${pid}`,
    }
  return {
    code: 'stale_daemon',
    gravity: 'note',
    path: url,
    reason: `its daemon, process ${pid}, is gone`,
    advice: 'forget it; its token stays for the next start on this port',
    fix() {
      registrations.leave(port, true)
      return 'fixed'
    },
  }
}

/** Ids of processes are used again: where another daemon answers, this one has gone. */
const stateOf = async (daemon: KnownDaemon): Promise<'well' | 'silent' | 'gone'> => {
  try {
    await reportOf(daemon)
    return 'well'
  } catch (error) {
    if (hasCode(error, 'daemon_not_running')) return 'gone'
    if (hasCode(error, 'daemon_unreachable')) return 'silent'
    throw error
  }
}
