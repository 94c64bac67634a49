import {existsSync} from 'node:fs'
import {JpError} from '../errors/jp-error.js'
import {type EditPlace, type EditTarget, targetFile, writeUnlessChanged} from './edit.js'
import {proveInside} from './files.js'
import {formatConfigText} from './format-text.js'
import {readLayers} from './layers.js'
import {type ConfigFile, readConfigFile} from './syntax.js'

/** A file that was looked at. */
export type FormattedFile = {readonly file: string; readonly changed: boolean}

/**
 * Sets the white space of configuration files right. `all`: every file that applies here, but for what they extend.
 * @param writes false only tells.
 * @throws JpError `config_malformed`, `config_changed`, `file_unwritable`, `workspace_not_found`.
 */
export const formatFiles = async (
  place: EditPlace,
  which: EditTarget | 'all',
  writes: boolean,
): Promise<readonly FormattedFile[]> => {
  const done: FormattedFile[] = []
  for (const {target, file} of which === 'all' ? await allFiles(place) : await fileOf(place, which)) {
    const text = await formatConfigText(file)
    const changed = text !== file.text
    if (changed && writes && !(await writeUnlessChanged(place, target, {before: file, text}))) {
      throw new JpError('config_changed', `${file.path} was changed by another program meanwhile.`)
    }
    done.push({file: file.path, changed})
  }
  return done
}

type Target = {readonly target: EditTarget; readonly file: ConfigFile}

const fileOf = async (place: EditPlace, target: EditTarget): Promise<readonly Target[]> => {
  const path = targetFile(place, target)
  if (!existsSync(path)) return []
  const isOfCheckout = target === 'workspace' || target === 'directory'
  if (isOfCheckout && place.checkoutRoot !== undefined) proveInside(place.checkoutRoot, path)
  return [{target, file: await readConfigFile(path)}]
}

const allFiles = async (place: EditPlace): Promise<readonly Target[]> => {
  const {layers} = await readLayers(place, 'own-files')
  return layers.flatMap(({kind, file}) => (file !== undefined && isTarget(kind) ? [{target: kind, file}] : []))
}

const isTarget = (kind: string): kind is EditTarget =>
  kind === 'user-global' || kind === 'workspace' || kind === 'directory' || kind === 'user-workspace'
