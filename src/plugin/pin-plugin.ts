import {type EditPlace, setKeys} from '../config/edit.js'
import {JpError} from '../errors/jp-error.js'
import {type ChecksumPlace, checksumOf} from './checksum.js'
import {type NamingPlace, namePlugin} from './name-plugin.js'

/** What was pinned, and where it stands. */
export type PinnedPlugin = {
  readonly name: string
  readonly path: string
  readonly sha256: string
  /** The configuration file. */
  readonly file: string
}

/**
 * Pins a plugin to the bytes that it has: writes `plugins.command.<name>.checksum` to the user-global configuration, so
 * that other bytes are refused everywhere (P10). It approves nothing.
 * @throws JpError as {@link namePlugin} and `setKeys`; `file_unreadable`.
 */
export const pinPlugin = async (
  naming: NamingPlace & ChecksumPlace,
  target: string,
  configuration: EditPlace,
): Promise<PinnedPlugin> => {
  const {name, origin} = namePlugin(naming, target)
  const {path} = origin
  if (origin.kind === 'package' && origin.isLinked) {
    throw new JpError('usage', `${name} is linked from ${path}: what changes all the time can't be pinned.`)
  }
  const sha256 = checksumOf(origin, naming)
  if (sha256 === undefined) throw new JpError('file_unreadable', `Can't read ${path}.`)
  const pin = {[name]: {checksum: {algorithm: 'sha256', value: sha256}}}
  const {file} = await setKeys(configuration, 'user-global', [`plugins.command:+=${JSON.stringify(pin)}`])
  return {name, path, sha256, file}
}
