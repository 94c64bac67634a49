import {JpError} from '../errors/jp-error.js'
import {type PluginName, parsePluginName} from '../platform/id-grammar.js'
import type {ApprovalStore} from './approvals.js'
import type {Plugin} from './plugin.js'

/** Where approvals are taken back. */
export type RevokePlace = {
  readonly approvals: ApprovalStore
  /** Every plugin that can be found; asked for an npm name only. */
  find(): readonly Plugin[]
}

/**
 * Takes the approval of a plugin back, by its name, also when it is gone; or of all plugins of a package, by its npm name (P29).
 * @throws JpError `plugin_not_found` when nothing of that name is approved; as the approval store.
 */
export const revokePlugin = async (
  {approvals, ...place}: RevokePlace,
  target: string,
): Promise<readonly [PluginName, ...PluginName[]]> => {
  const name = parsePluginName(target)
  if (name !== undefined && (await approvals.revoke(name))) return [name]
  const revoked: PluginName[] = []
  for (const plugin of place.find()) {
    const isOfPackage = plugin.origin.kind === 'package' && plugin.origin.npmName === target
    if (isOfPackage && (await approvals.revoke(plugin.name))) revoked.push(plugin.name)
  }
  const [first, ...more] = revoked
  if (first !== undefined) return [first, ...more]
  throw new JpError('plugin_not_found', `No plugin "${target}" is approved.`, {hint: 'See "jp plugins list".'})
}
