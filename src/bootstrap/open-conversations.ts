import {join} from 'node:path'
import {type ConversationStore, createConversationStore} from '../conversation/store.js'
import {type Clock, monotonicMs} from '../platform/clock.js'
import type {UserDirectories} from '../platform/directories.js'
import type {HostEnvironment} from '../platform/host-environment.js'
import {sha256OfText} from '../platform/text-digest.js'
import {isLiveRoot} from '../workspace/roots-registry.js'
import type {ExecutionContext} from './execution-context.js'

/** What a store takes from the run. */
export type ConversationsLaunch = {
  readonly clock: Clock
  readonly environment: HostEnvironment
  readonly directories: Pick<UserDirectories, 'cache'>
  /** The session that locks are taken for, as their files name it. */
  readonly session?: string | undefined
  /** True for a process that lists again and again. */
  readonly isLongLived?: boolean
  /** Where a person is told what a write came upon. */
  readonly output?: {warn(text: string): void}
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
    indexFile: indexFileOf(launch.directories.cache, context),
    elapsedMs: launch.isLongLived === true ? monotonicMs : undefined,
    isLive: (root) => isLiveRoot(context.checkout.id, root),
    warn: (text) => launch.output?.warn(text),
  })

/** One file a view, below the cache folder (W2): it can go at any time. */
const indexFileOf = (cache: string, {checkout, silo}: Pick<ExecutionContext, 'checkout' | 'silo'>): string => {
  const view = sha256OfText(`${checkout.root}\n${silo ?? ''}`).slice(0, 16)
  return join(cache, 'conversations', `${checkout.id}-${view}.index`)
}
