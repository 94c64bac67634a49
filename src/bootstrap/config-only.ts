import type {KnownWorkspace} from '../workspace/known-workspaces.js'
import {chooseCheckout} from './choose-checkout.js'
import type {ExecutionContext} from './execution-context.js'
import {directoriesOf} from './execution-directories.js'
import type {Launch} from './launch.js'

/**
 * The checkout whose configuration governs a launch that acts in no workspace (S7): every step of the ladder that asks
 * nothing. Undefined when there is none, which is no error: the user-global layers count then. Nothing is created,
 * written, touched or pruned.
 * @param target a target in place of the launch's `-w`.
 * @param known the workspaces of this machine, when they have just been read.
 * @throws JpError for an explicit target that names nothing or what is gone (exit 3) or that only a question could settle
 * (exit 2, on a terminal too), and where the cwd's `.jp` can't be used: going on without it could turn a `deny` off.
 */
export const selectLaunchCheckout = async (
  launch: Launch,
  target?: string,
  known?: readonly KnownWorkspace[],
): Promise<Pick<ExecutionContext, 'checkout' | 'source' | 'configCwd'> | undefined> => {
  const {chosen, facts} = await chooseCheckout(launch, {
    mayAsk: false,
    mayName: false,
    ...(target === undefined ? {} : {target}),
    ...(known === undefined ? {} : {known}),
  })
  if (chosen === undefined) return undefined
  const {checkout, source} = chosen
  return {checkout, source, configCwd: directoriesOf(checkout, facts, launch).configCwd}
}
