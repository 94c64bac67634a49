import {hasCode, JpError} from '../errors/jp-error.js'
import type {WorkspaceId} from '../platform/id-grammar.js'
import {findSession} from '../session/identity.js'
import {readSelection} from '../session/selection-store.js'
import {type KnownWorkspace, type ListedRoot, listed, readKnownWorkspaces} from '../workspace/known-workspaces.js'
import {selectLaunchCheckout} from './config-only.js'
import type {SelectionSource} from './execution-context.js'
import type {Launch} from './launch.js'

/** What `jp w show` tells. The key order is part of the shape. */
export type WorkspaceDescription = {
  readonly id: WorkspaceId | null
  readonly slug: string | null
  /** The checkout that was chosen; null when the target names a workspace with several, or none is left. */
  readonly root: string | null
  /** Which step chose it. */
  readonly source: SelectionSource | null
  /** The session keeps its workspace wherever it is. */
  readonly sticky: boolean
  /** Live checkouts, newest first. */
  readonly roots: readonly ListedRoot[]
  /** Registered checkouts that are gone. */
  readonly gone: readonly string[]
}

/**
 * The workspace that a command would act in, as far as no question is needed, or the one that the target names. Reads
 * only. A workspace can be shown whole, so a target that leaves its checkout open is no error here.
 * @throws JpError as `selectLaunchCheckout`.
 */
export const describeWorkspace = async (launch: Launch, target: string | undefined): Promise<WorkspaceDescription> => {
  const all = readKnownWorkspaces(launch.directories.data)
  const selected = await selectOrName(launch, target, all)
  const known = all.filter(({id}) => id === selected?.id)
  const [workspace] = listed(known, undefined)
  return {
    id: selected?.id ?? null,
    slug: workspace?.slug ?? null,
    root: selected?.root ?? null,
    source: selected?.source ?? null,
    sticky: await isSticky(launch),
    roots: workspace?.roots ?? [],
    gone: known.flatMap(({dead}) => dead.map(({path}) => path)),
  }
}

type Selected = {readonly id: WorkspaceId; readonly root?: string; readonly source?: SelectionSource}

const selectOrName = async (
  launch: Launch,
  target: string | undefined,
  known: readonly KnownWorkspace[],
): Promise<Selected | undefined> => {
  try {
    const selected = await selectLaunchCheckout(launch, target, known)
    return selected === undefined ? undefined : {...selected.checkout, source: selected.source}
  } catch (error) {
    const id = hasCode(error, 'checkout_ambiguous', 'no_live_checkout') ? error.details['id'] : undefined
    if (error instanceof JpError && typeof id === 'string') return {id: id as WorkspaceId}
    throw error
  }
}

const isSticky = async (launch: Launch): Promise<boolean> => {
  const session = launch.prompter === undefined ? undefined : await findSession(launch.environment)
  return session !== undefined && readSelection(launch.directories.data, session).selection.sticky
}
