import type {ErrorCode} from '../errors/catalogue.js'
import {JpError} from '../errors/jp-error.js'
import {accept} from './accept.js'
import {expectedAt} from './expected.js'
import type {Layer} from './layers.js'
import {settled} from './merge.js'
import {type Finding, normalise} from './normalise.js'
import type {Notice} from './notice.js'
import type {Provenance} from './provenance.js'
import type {Configuration} from './schema.js'
import {schema} from './schema-outline.js'
import {whereIs} from './syntax.js'
import {fieldAt} from './tree.js'
import {type ConfigObject, forbiddenKey, type KeyPath, showPath} from './value.js'

/** A layer that the schema has read. */
export type CheckedLayer = {readonly layer: Layer; readonly value: ConfigObject; readonly notices: readonly Notice[]}

/**
 * Reads a layer against the schema (W16). An unknown key of a file is a notice with the nearest known one; below
 * `plugins.`, in `--cfg` and in the environment it is an error, as a value of the wrong type and a dangerous key are.
 * @throws JpError `config_invalid` (files), `config_key_unknown` and `config_value_invalid` (`--cfg`, environment).
 */
export const checkLayer = async (layer: Layer): Promise<CheckedLayer> => {
  const {value, findings} = normalise(schema, layer.value)
  const notices: Notice[] = []
  for (const finding of findings) {
    const where = await placeOf(layer, finding.path)
    if (finding.kind === 'forbidden') throw forbiddenKey(codeFor(layer, 'key'), finding.path.at(-1) ?? '', where)
    if (finding.kind === 'invalid') throw invalid(layer, finding, where)
    const strict = layer.file === undefined || finding.path[0] === 'plugins'
    if (strict) throw unknown(layer, finding, where)
    const near = finding.near === undefined ? '' : ` Did you mean ${showPath(finding.near)}?`
    notices.push({kind: 'unknown_key', text: `${where}: unknown key ${showPath(finding.path)}.${near}`})
  }
  return {layer, value, notices}
}

/** Where a value of a layer was written: `file:line`, or what people call the layer. */
export const placeOf = async (layer: Layer, path: KeyPath): Promise<string> =>
  layer.file === undefined ? layer.name : whereIs(layer.file, path)

const codeFor = (layer: Layer, what: 'key' | 'value'): ErrorCode => {
  if (layer.file !== undefined) return 'config_invalid'
  return what === 'key' ? 'config_key_unknown' : 'config_value_invalid'
}

const unknown = (layer: Layer, finding: Finding & {kind: 'unknown'}, where: string): JpError =>
  new JpError(codeFor(layer, 'key'), `${where}: there is no configuration key ${showPath(finding.path)}.`, {
    hint:
      finding.near === undefined
        ? 'Remove it. "jp config show --defaults" shows all keys.'
        : `Did you mean ${showPath(finding.near)}?`,
  })

const invalid = (layer: Layer, finding: Finding & {kind: 'invalid'}, where: string): JpError =>
  new JpError(
    codeFor(layer, 'value'),
    `${where}: ${showPath(finding.path)} must be ${finding.expected}, not ${brief(finding.found)}.`,
  )

const brief = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 60 ? `${text.slice(0, 57)}...` : text
}

/**
 * The whole configuration of a merged one: defaults filled in, complete.
 * @throws JpError `config_invalid` naming the layer that left something out.
 */
export const finished = async (merged: ConfigObject, provenance: Provenance): Promise<Configuration> => {
  const result = accept(schema, settled(schema, merged))
  // What the schema accepts is what its type says (test/unit/config/accept.test.ts).
  if (result.ok) return result.value as unknown as Configuration
  const {path, problem} = result
  const origin = provenance.originsOf(path).at(-1)
  const where = origin === undefined ? 'The configuration' : await placeOf(origin.layer, path)
  const field = fieldAt(schema, path)
  const told = problem ?? (field === undefined ? 'it is incomplete' : `expected ${expectedAt(field)}`)
  throw new JpError('config_invalid', `${where}: ${showPath(path)}: ${told}.`)
}
