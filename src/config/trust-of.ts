import {readTrust, type Trust} from '../workspace/trust.js'
import type {ConfigPlace} from './layers.js'

const override = (isTrusted: boolean): Trust => ({
  by: isTrusted ? 'environment' : 'none',
  record: undefined,
  accepts: () => isTrusted,
})

/** The user's trust in a place. Outside a workspace there is nothing to trust. */
export const trustOf = (place: ConfigPlace, isTrusted?: boolean): Trust => {
  if (isTrusted !== undefined) return override(isTrusted)
  if (place.checkoutRoot === undefined) return override(false)
  return readTrust({dataDirectory: place.directories.data, root: place.checkoutRoot, env: place.env})
}
