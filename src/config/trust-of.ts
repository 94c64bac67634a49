import {readTrust} from '../workspace/trust.js'
import type {GuardedSetting} from './guard.js'
import type {ConfigPlace} from './layers.js'

/** Whether the user's trust covers a guarded setting of a place. Outside a workspace there is nothing to trust. */
export const trustOf = (
  place: ConfigPlace,
  override: boolean | undefined,
): ((setting: Pick<GuardedSetting, 'digest'>) => boolean) => {
  if (override !== undefined) return () => override
  if (place.checkoutRoot === undefined) return () => false
  const trust = readTrust({
    dataDirectory: place.directories.data,
    root: place.checkoutRoot,
    env: place.env,
  })
  return (setting) => trust.accepts(setting.digest)
}
