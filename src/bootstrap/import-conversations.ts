import {locksDirectory} from '../conversation/conversation-locks.js'
import {conversationRoots} from '../conversation/conversation-roots.js'
import {importAll} from '../conversation/importing.js'
import {tidyAfterDead} from '../conversation/tidy.js'
import type {Checkout} from '../workspace/checkout.js'
import {holderOf, type Launch} from './launch.js'

/**
 * The first thing that a new user-local store is given: a copy of every conversation that the checkout brought (facts 1.6).
 * Later arrivals (a pull, another worktree) stay in their checkout's view until a turn writes them, so that two worktrees
 * keep the conversation sets that they have (S15). Nothing with `--no-persist`.
 * @throws JpError `disk_full`, `file_unwritable`, `file_refused`.
 */
export const importConversations = (checkout: Checkout, silo: string, launch: Launch): void => {
  if (!launch.globals.noPersist) importAll(conversationRoots(checkout.root, silo))
}

/** What every run that loads does with conversations: it tidies up after writers that died. */
export const tidyConversations = (checkout: Checkout, silo: string, launch: Launch): void => {
  if (launch.globals.noPersist) return
  tidyAfterDead(conversationRoots(checkout.root, silo), locksDirectory(checkout.root, silo), holderOf(launch))
}
