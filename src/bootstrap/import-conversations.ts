import {locksDirectory} from '../conversation/conversation-locks.js'
import {conversationRoots} from '../conversation/conversation-roots.js'
import {importAll} from '../conversation/importing.js'
import {tidyAfterDead} from '../conversation/tidy.js'
import type {Checkout} from '../workspace/checkout.js'
import {holderOf, type Launch} from './launch.js'

/**
 * What a run that loads does with conversations first (W10, S6): it tidies up after writers that died, and copies what
 * came with the checkout into the user-local store. With `--no-persist` it does neither.
 * @throws JpError `disk_full`, `file_unwritable`, `file_refused`.
 */
export const importConversations = (checkout: Checkout, silo: string, launch: Launch): void => {
  if (launch.globals.noPersist) return
  const roots = conversationRoots(checkout.root, silo)
  tidyAfterDead(roots, locksDirectory(checkout.root, silo), holderOf(launch))
  importAll(roots)
}
