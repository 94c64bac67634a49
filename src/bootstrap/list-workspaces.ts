import {JpError} from '../errors/jp-error.js'
import type {Checkout} from '../workspace/checkout.js'
import {type KnownWorkspace, readKnownWorkspaces} from '../workspace/known-workspaces.js'
import {selectLaunchCheckout} from './config-only.js'
import type {Launch} from './launch.js'

/**
 * What `jp w ls` lists, with the checkout that S7 selects. Reads only. A cwd whose `.jp` can't be used selects nothing
 * here: a listing governs nothing, and it may be what helps.
 * @throws JpError as `selectLaunchCheckout` for an explicit `-w`.
 */
export const listWorkspaces = async (
  launch: Launch,
): Promise<{readonly known: readonly KnownWorkspace[]; readonly launch: Checkout | undefined}> => {
  const known = readKnownWorkspaces(launch.directories.data)
  return {known, launch: await findLaunchCheckout(launch, known)}
}

const findLaunchCheckout = async (launch: Launch, known: readonly KnownWorkspace[]): Promise<Checkout | undefined> => {
  try {
    return (await selectLaunchCheckout(launch, undefined, known))?.checkout
  } catch (error) {
    if (!(error instanceof JpError) || launch.globals.workspace.length > 0) throw error
    launch.output.warn(error.message)
    return undefined
  }
}
