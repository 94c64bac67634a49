import type {ExecutionContext} from '../../bootstrap/execution-context.js'
import type {ConversationStore} from '../../conversation/store.js'
import type {Checkout} from '../../workspace/checkout.js'
import type {WorkspaceConfiguration} from './workspace-configuration.js'

/** Where a plugin's requests act: one checkout and the folders that its configuration is read from (W11). */
export type WorkspacePlace = Pick<ExecutionContext, 'checkout' | 'silo' | 'configCwd' | 'launchCwd'>

/** One checkout as a plugin's requests see it: its view of the conversations, and its configuration (S15, S29). */
export type OpenWorkspace = WorkspacePlace & {
  readonly store: ConversationStore
  readonly configuration: WorkspaceConfiguration
}

/** The checkouts that a run has opened, each once, for the life of the process (S29). */
export interface OpenWorkspaces {
  /** Opens a checkout at its first use. Throws as the bootstrap's ordinary open. */
  open(checkout: Checkout): Promise<OpenWorkspace>
}

/** The key of a checkout: the workspace id alone would run one tree's requests against another (S29). */
const keyOf = (checkout: Checkout): string => `${checkout.id}\n${checkout.root}`

/** Creates the map. A failed open is tried again at the next use. */
export const createOpenWorkspaces = (
  openOne: (checkout: Checkout) => Promise<OpenWorkspace>,
  opened: readonly OpenWorkspace[] = [],
): OpenWorkspaces => {
  const byKey = new Map<string, Promise<OpenWorkspace>>(
    opened.map((workspace) => [keyOf(workspace.checkout), Promise.resolve(workspace)]),
  )
  return {
    open(checkout) {
      const key = keyOf(checkout)
      const known = byKey.get(key)
      if (known !== undefined) return known
      const opening = openOne(checkout)
      byKey.set(key, opening)
      opening.catch(() => byKey.delete(key))
      return opening
    },
  }
}
