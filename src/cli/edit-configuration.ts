import * as Flags from '@oclif/core/flags'
import {holderOf} from '../bootstrap/launch.js'
import type {Edited, EditTarget} from '../config/edit.js'
import type {GuardedSetting} from '../config/guard.js'
import type {ConfigPlace} from '../config/layers.js'
import {openSilo} from '../workspace/silo.js'
import {type ConfigContext, configPlace} from './configuration.js'
import type {Invocation} from './invocation.js'

const targets = ['user-global', 'user-workspace', 'cwd'] as const
const others = (name: string): string[] => targets.filter((target) => target !== name)

/** Which file `jp config set` and `unset` write. */
export const editFlags = {
  'user-global': Flags.boolean({summary: 'Your own file, for all workspaces.', exclusive: others('user-global')}),
  'user-workspace': Flags.boolean({
    summary: 'Your own file for this workspace; it is not in the checkout.',
    exclusive: others('user-workspace'),
  }),
  cwd: Flags.boolean({summary: 'The .jp file of this folder.', exclusive: others('cwd')}),
}

/** What to change. */
export type EditRequest = ({readonly set: readonly string[]} | {readonly unset: readonly string[]}) & {
  readonly flags: {readonly 'user-global': boolean; readonly 'user-workspace': boolean; readonly cwd: boolean}
}

/**
 * Edits a configuration file and says which one.
 * @throws JpError as `setKeys`.
 */
export const editConfiguration = async (
  invocation: Invocation,
  context: ConfigContext,
  request: EditRequest,
): Promise<void> => {
  const target = targetOf(request.flags)
  const place = configPlace(invocation, target === 'user-workspace' ? withSilo(invocation, context) : context)
  const editPlace = {...place, holder: holderOf(invocation)}
  const {setKeys, unsetKeys} = await import('../config/edit.js')
  const edited =
    'set' in request ? await setKeys(editPlace, target, request.set) : await unsetKeys(editPlace, target, request.unset)
  const {output} = invocation
  for (const {text} of edited.notices) output.warn(text)
  if (output.isJson) output.json({file: edited.file, changed: edited.isChanged})
  else output.line(edited.isChanged ? `Changed ${edited.file}` : `${edited.file} says so already`, undefined)
  if (edited.isChanged) await tellGuarded(invocation, place, edited)
}

/** What a user writes into a checkout is guarded like what came with it, unless the user trusts the checkout already. */
const tellGuarded = async (invocation: Invocation, place: ConfigPlace, edited: Edited): Promise<void> => {
  const {output, clock} = invocation
  const {checkoutRoot} = place
  const {leftOut, never} = edited.guarded
  const namesOf = (settings: readonly GuardedSetting[]): string => settings.map(({path}) => path.join('.')).join(', ')
  if (never.length > 0) {
    output.warn(`${namesOf(never)} never counts from a checkout. Use --user-workspace or --user-global.`)
  }
  if (!edited.layer.fromCheckout || checkoutRoot === undefined) return
  const {keepTrust} = await import('../config/trust-checkout.js')
  const isTrusted = await keepTrust({...place, checkoutRoot}, edited.layer, clock.nowMs())
  if (!isTrusted && leftOut.length > 0) {
    output.warn(`${namesOf(leftOut)} takes effect once you trust this checkout: "jp w trust".`)
  }
}

/** The file that the flags mean; the workspace's without one. */
export const targetOf = (flags: EditRequest['flags']): EditTarget => {
  if (flags['user-global']) return 'user-global'
  if (flags['user-workspace']) return 'user-workspace'
  return flags.cwd ? 'directory' : 'workspace'
}

/** The user-local store is made when the user asks to write into it. */
const withSilo = (invocation: Invocation, context: ConfigContext): ConfigContext => {
  const {checkout} = context
  if (context.silo !== undefined || checkout === undefined) return context
  return {...context, silo: openSilo(invocation.directories.data, checkout, holderOf(invocation)).silo}
}
