import {type EditPlace, setKeys} from '../config/edit.js'
import {JpError} from '../errors/jp-error.js'
import {sha256OfFile} from '../platform/file-digest.js'
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
  naming: NamingPlace,
  target: string,
  configuration: EditPlace,
): Promise<PinnedPlugin> => {
  const {name, path} = namePlugin(naming, target)
  const sha256 = sha256OfFile(path)
  if (sha256 === undefined) throw new JpError('file_unreadable', `Can't read ${path}.`)
  const pin = {[name]: {checksum: {algorithm: 'sha256', value: sha256}}}
  const {file} = await setKeys(configuration, 'user-global', [`plugins.command:+=${JSON.stringify(pin)}`])
  return {name, path, sha256, file}
}
