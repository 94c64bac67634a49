import {JpError} from '../../errors/jp-error.js'
import {canonicalIfPresent} from '../../platform/contained-path.js'
import {parseWorkspaceId, type WorkspaceId} from '../../platform/id-grammar.js'
import type {WorkspaceRef} from '../../protocol/plugin-fields.js'
import type {Checkout} from '../../workspace/checkout.js'
import {listKnownWorkspaces} from '../../workspace/known-workspaces.js'
import {isLiveRoot} from '../../workspace/roots-registry.js'

/** Which checkout a request is about. Decided by the declared scope and by what the request says, never by recency. */
export interface Addressing {
  /**
   * @throws JpError `workspace_required`, `workspace_not_allowed`, `workspace_not_found`, `no_live_checkout`,
   * `checkout_ambiguous`, `checkout_not_live`.
   */
  checkoutOf(reference: WorkspaceRef | undefined): Checkout
}

/** A single-scope plugin acts in the one checkout that it was handed (S13). */
export const singleAddressing = (checkout: Checkout): Addressing => ({
  checkoutOf(reference) {
    if (reference === undefined) return checkout
    throw new JpError(
      'workspace_not_allowed',
      'A single-scope plugin acts in the workspace that init names; its requests must not have "workspace".',
    )
  },
})

/** A multi-scope plugin names a checkout in every request (S12 to S14). */
export const multiAddressing = (dataDirectory: string): Addressing => ({
  checkoutOf(reference) {
    if (reference === undefined) {
      throw new JpError('workspace_required', 'A multi-scope plugin must name the workspace: "workspace": {"id": …}.')
    }
    const id = parseWorkspaceId(reference.id)
    if (id === undefined) throw unknownWorkspace(reference.id)
    if (reference.root !== undefined) {
      const root = canonicalIfPresent(reference.root)
      if (root !== undefined && isLiveRoot(id, root)) return {id, root}
    }
    const roots = liveRootsOf(dataDirectory, id)
    if (reference.root !== undefined) {
      throw new JpError('checkout_not_live', `${reference.root} is no live checkout of the workspace ${id}.`, {
        details: {roots},
      })
    }
    const [root, second] = roots
    if (root !== undefined && second === undefined) return {id, root}
    throw new JpError(
      'checkout_ambiguous',
      `The workspace ${id} has ${roots.length} live checkouts; name one as "root".`,
      {
        details: {roots},
      },
    )
  },
})

/** The live checkouts of a known workspace; at least one. */
const liveRootsOf = (dataDirectory: string, id: WorkspaceId): string[] => {
  const known = listKnownWorkspaces(dataDirectory, undefined).find((workspace) => workspace.id === id)
  if (known === undefined) throw unknownWorkspace(id)
  if (known.roots.length === 0) {
    throw new JpError('no_live_checkout', `Every checkout of the workspace ${id} is gone.`, {details: {roots: []}})
  }
  return known.roots.map((root) => root.path)
}

const unknownWorkspace = (id: string): JpError =>
  new JpError('workspace_not_found', `There is no workspace ${JSON.stringify(id)} on this machine.`)
