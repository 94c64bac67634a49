import type {Checkout} from '../workspace/checkout.js'

/** Which step of the ladder chose the checkout (W8). */
export type SelectionSource = 'cwd' | 'path' | 'id' | 'selector' | 'session' | 'picker'

/** Where a command acts: the answer of the bootstrap for `resolve` and `load`. */
export type ExecutionContext = {
  readonly checkout: Checkout
  readonly source: SelectionSource
  /** The user-local store of the workspace; undefined when there is none (a workspace that no run has opened to write). */
  readonly silo: string | undefined
  /** Where the user ran jp: relative paths that a user types resolve here (W11). */
  readonly launchCwd: string
  /** The root of the workspace that the launch cwd lies in. */
  readonly cwdRoot: string | undefined
  /** The root, only when it is not the cwd's own; children inherit the launch cwd otherwise (W11). */
  readonly childCwd: string | undefined
  /** The base of the `.jp.*` chain: the child cwd when set, else the launch cwd. */
  readonly configCwd: string
}
