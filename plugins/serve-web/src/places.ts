import {createHash} from 'node:crypto'
import type {ListedWorkspace, WorkspaceRef} from '../../sdk/src/client.js'

/** One live checkout of a workspace, with its address here. */
export type Place = {
  readonly workspace: ListedWorkspace
  readonly root: string
  readonly ref: Required<WorkspaceRef>
  /** `/w/abcde/0123456789ab` */
  readonly url: string
}

const keyOf = (root: string): string => createHash('sha256').update(root).digest('hex').slice(0, 12)

/** Every checkout that there is, those of the launch workspace first (P25). */
export const placesOf = (workspaces: readonly ListedWorkspace[]): readonly Place[] =>
  [...workspaces]
    .sort((left, right) => Number(right.launch) - Number(left.launch))
    .flatMap((workspace) =>
      workspace.roots.map(({path}) => ({
        workspace,
        root: path,
        ref: {id: workspace.id, root: path},
        url: `/w/${workspace.id}/${keyOf(path)}`,
      })),
    )

/** The place of an address. */
export const placeAt = (places: readonly Place[], workspaceId: string, key: string): Place | undefined =>
  places.find(({url}) => url === `/w/${workspaceId}/${key}`)

/** Another checkout of the same workspace. */
export const siblingOf = (places: readonly Place[], place: Place, root: string): Place | undefined =>
  places.find(({workspace, root: other}) => workspace.id === place.workspace.id && other === root)
