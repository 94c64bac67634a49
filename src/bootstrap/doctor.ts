import {createConversationLocks} from '../conversation/conversation-locks.js'
import {conversationRoots} from '../conversation/conversation-roots.js'
import {diagnose, type StoreProblem} from '../conversation/diagnosis.js'
import {repair} from '../conversation/repair.js'
import {rfc3339} from '../platform/clock.js'
import type {Gravity, Problem} from '../platform/problem.js'
import type {Checkout} from '../workspace/checkout.js'
import {findSilo, slugOf} from '../workspace/silo.js'
import {selectLaunchCheckout} from './config-only.js'
import type {Launch} from './launch.js'

/** Where `jp doctor` looks: the workspace that the run is in, when it is in one. */
export type DoctorPlace = {
  readonly checkout: Checkout | undefined
  /** The user-local store of its workspace. */
  readonly silo: string | undefined
  readonly configCwd: string
}

/** Chooses where to look, asking and writing nothing. @throws JpError as `selectLaunchCheckout`. */
export const doctorPlace = async (launch: Launch): Promise<DoctorPlace> => {
  const chosen = await selectLaunchCheckout(launch)
  const checkout = chosen?.checkout
  const silo =
    checkout === undefined ? undefined : findSilo(launch.directories.data, checkout.id, slugOf(checkout.root))
  return {checkout, silo, configCwd: chosen?.configCwd ?? launch.environment.cwd}
}

/** What is wrong with the conversations of a checkout's view (W20). Writes nothing; what is in use is left alone. */
export const diagnoseStore = (launch: Launch, {checkout, silo}: DoctorPlace): readonly Problem[] => {
  if (checkout === undefined) return []
  const {root} = checkout
  const roots = conversationRoots(root, silo)
  const locks = createConversationLocks(roots, {root, silo, clock: launch.clock, pid: launch.environment.pid})
  const deps = {roots, locks, nowIso: () => rfc3339(launch.clock.nowMs())}
  return diagnose(roots, locks).map((problem) => {
    const {code, id, path, reason, advice, remedy} = problem
    const about = {code, gravity: gravities[code], ...(id === undefined ? {} : {id}), path, reason, advice}
    return remedy.kind === 'none' ? about : {...about, fix: () => repair(deps, problem)}
  })
}

const gravities = {
  damaged: 'damage',
  stray: 'damage',
  duplicate: 'damage',
  lone_surrogate: 'damage',
  unreadable: 'fault',
  stale_lock: 'note',
} as const satisfies Record<StoreProblem['code'], Gravity>
