import type {ConfigPlace} from '../config/layers.js'
import type {UserDirectories} from '../platform/directories.js'
import type {HostEnvironment} from '../platform/host-environment.js'
import type {Checkout} from '../workspace/checkout.js'

/** Where a turn runs: one checkout, and what of the process it may use. The same for every frontend (S32). */
export type TurnPlace = {
  readonly checkout: Checkout
  /** The user-local store of the workspace; undefined when there is none. */
  readonly silo: string | undefined
  /** The base of the `.jp.*` chain (W11). */
  readonly configCwd: string
  /** Where relative paths that the user typed resolve (W11). */
  readonly launchCwd: string
  readonly environment: HostEnvironment
  readonly directories: UserDirectories
}

/** The same place, as the configuration asks for it. */
export const configPlaceOf = (place: TurnPlace): ConfigPlace => ({
  directories: place.directories,
  checkoutRoot: place.checkout.root,
  configCwd: place.configCwd,
  silo: place.silo,
  env: place.environment.env,
})
