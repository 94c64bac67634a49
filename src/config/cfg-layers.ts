import {assignmentLayers, parseCfg} from './assign.js'
import {readWithExtends} from './extends.js'
import type {ConfigPlace, Layer} from './layers.js'
import {schema} from './schema-outline.js'
import {fileNamed, filesNamed, type NamedFile} from './search.js'
import {type ConfigObject, valueAt} from './value.js'

/** What a `--cfg` argument is read against. */
export type CfgPlace = {
  readonly place: ConfigPlace
  readonly launchCwd: string
  /** What the layers so far came to: its load paths are where a name is looked up. */
  readonly below: ConfigObject
}

/** A layer that no file gives. */
export const handmade = (kind: 'environment' | 'command-line', name: string, value: ConfigObject): Layer => ({
  kind,
  name,
  value,
  fromCheckout: false,
  group: name,
})

/**
 * The layers of one `--cfg` argument, in the order of merging; none for a reset.
 * @throws JpError as `parseCfg`, `assignmentLayers`, `filesNamed` and `readWithExtends`.
 */
export const cfgLayers = async (argument: string, {place, launchCwd, below}: CfgPlace): Promise<readonly Layer[]> => {
  const name = `--cfg ${argument}`
  const parsed = parseCfg(argument)
  if (parsed.kind === 'reset') return []
  if (parsed.kind === 'object') return [handmade('command-line', name, parsed.value)]
  if (parsed.kind === 'assignment') {
    return assignmentLayers(schema, parsed, name).map((value) => handmade('command-line', name, value))
  }
  const files: NamedFile[] =
    parsed.kind === 'file'
      ? [fileNamed(place, launchCwd, parsed.path)]
      : filesNamed(place, launchCwd, {name: parsed.name, loadPaths: loadPathsOf(below)})
  const layers: Layer[] = []
  for (const {path, fromCheckout} of files) {
    const belonging = {kind: 'command-line' as const, fromCheckout, place}
    layers.push(...(await readWithExtends(path, belonging)).layers)
  }
  return layers
}

const loadPathsOf = (value: ConfigObject): string[] => {
  const paths = valueAt(value, ['config_load_paths'])
  return Array.isArray(paths) ? paths.filter((path) => typeof path === 'string') : []
}
