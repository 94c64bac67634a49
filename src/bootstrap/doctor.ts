import {createConversationLocks} from '../conversation/conversation-locks.js'
import {conversationRoots} from '../conversation/conversation-roots.js'
import {diagnose, type StoreProblem} from '../conversation/diagnosis.js'
import {type RepairOutcome, repair} from '../conversation/repair.js'
import {rfc3339} from '../platform/clock.js'
import type {Checkout} from '../workspace/checkout.js'
import {pruneRoots} from '../workspace/prune.js'
import {findSilo, slugOf} from '../workspace/silo.js'
import {selectLaunchCheckout} from './config-only.js'
import type {Launch} from './launch.js'

/** One finding of `jp doctor`, as its JSON gives it. */
export type Finding = {
  readonly code: StoreProblem['code'] | 'dead_root'
  /** The conversation that it is about. */
  readonly id?: string
  readonly path: string
  readonly reason: string
  /** What `--fix` does about it. */
  readonly advice: string
  readonly state: 'found' | RepairOutcome
}

/** What was looked at. */
export type Examination = {
  readonly checkout: Checkout | undefined
  /** The user-local store of its workspace. */
  readonly silo: string | undefined
  readonly findings: readonly Finding[]
}

/**
 * Looks at the stores of the workspace that the run is in, and at the registry of checkouts (W20, Q9). Writes nothing
 * unless `fix`; what is in use is left alone. Outside any workspace the registry alone is looked at.
 * @throws JpError as `selectLaunchCheckout`; with `fix` also `disk_full`, `file_unwritable`.
 */
export const examine = async (launch: Launch, {fix}: {readonly fix: boolean}): Promise<Examination> => {
  const checkout = (await selectLaunchCheckout(launch))?.checkout
  const silo =
    checkout === undefined ? undefined : findSilo(launch.directories.data, checkout.id, slugOf(checkout.root))
  const store = checkout === undefined ? [] : examineStore(launch, {root: checkout.root, silo}, fix)
  return {checkout, silo, findings: [...store, ...examineRegistry(launch, fix)]}
}

const examineStore = (
  launch: Launch,
  place: {readonly root: string; readonly silo: string | undefined},
  fix: boolean,
): readonly Finding[] => {
  const roots = conversationRoots(place.root, place.silo)
  const locks = createConversationLocks(roots, {...place, clock: launch.clock, pid: launch.environment.pid})
  const deps = {roots, locks, nowIso: () => rfc3339(launch.clock.nowMs())}
  return diagnose(roots, locks).map((problem) => {
    const {code, id, path, reason, advice} = problem
    const state = fix ? repair(deps, problem) : 'found'
    return {code, ...(id === undefined ? {} : {id}), path, reason, advice, state}
  })
}

const examineRegistry = (launch: Launch, fix: boolean): readonly Finding[] =>
  pruneRoots(launch.directories.data, {dryRun: !fix}).map(({path, file}) => ({
    code: 'dead_root',
    path: file,
    reason: `the checkout ${path} is gone`,
    advice: 'forget it; conversations stay',
    state: fix ? 'fixed' : 'found',
  }))
