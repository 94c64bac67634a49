import {type ConversationStore, createConversationStore} from '../conversation/store.js'
import type {Clock} from '../platform/clock.js'
import type {HostEnvironment} from '../platform/host-environment.js'
import {isLiveRoot} from '../workspace/roots-registry.js'
import type {ExecutionContext} from './execution-context.js'

/** What a store takes from the run. */
export type ConversationsLaunch = {
  readonly clock: Clock
  readonly environment: HostEnvironment
  /** The session that locks are taken for, as their files name it. */
  readonly session?: string | undefined
}

/** The conversations of a chosen checkout. Reads and writes nothing yet. */
export const openConversations = (
  context: Pick<ExecutionContext, 'checkout' | 'silo'>,
  launch: ConversationsLaunch,
): ConversationStore =>
  createConversationStore({
    root: context.checkout.root,
    silo: context.silo,
    clock: launch.clock,
    pid: launch.environment.pid,
    session: launch.session,
    isLive: (root) => isLiveRoot(context.checkout.id, root),
  })
