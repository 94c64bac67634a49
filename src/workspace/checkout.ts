import type {WorkspaceId} from '../platform/id-grammar.js'

/** One directory tree of a workspace: a workspace id and a canonical root. */
export type Checkout = {
  readonly id: WorkspaceId
  /** The canonical path of the tree. */
  readonly root: string
}

/** The name of the folder in a checkout that makes it one. */
export const storageName = '.jp'

/** True when both are the same tree of the same workspace. */
export const isSameCheckout = (left: Checkout, right: Checkout): boolean =>
  left.id === right.id && left.root === right.root
