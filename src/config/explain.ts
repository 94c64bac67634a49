import {placeOf} from './check.js'
import type {LayerKind} from './layers.js'
import type {Provenance} from './provenance.js'
import type {IgnoredSetting} from './stack.js'
import {type ConfigObject, type ConfigValue, isTable, type KeyPath, showPath} from './value.js'

/** Where a value was written. */
export type Source = {
  readonly layer: LayerKind
  /** `file:line`, the variable, or the argument; absent for a default. */
  readonly where?: string
}

/** One value of the resolved configuration and what made it what it is (W15). */
export type Explanation = {readonly path: string; readonly value: ConfigValue; readonly sources: readonly Source[]}

/** A value that did not take effect, and why. */
export type IgnoredExplanation = {
  readonly path: string
  readonly value: ConfigValue
  readonly source: Source
  readonly reason: 'untrusted' | 'never_from_checkout'
}

/** Where each value of a configuration comes from. A list or a text that several layers made names all of them. */
export const explain = async (config: ConfigObject, provenance: Provenance): Promise<Explanation[]> => {
  const explanations: Explanation[] = []
  for (const {path, value} of leaves(config, [])) {
    const origins = provenance.originsOf(path)
    const sources: Source[] = []
    for (const {layer} of origins) sources.push({layer: layer.kind, where: await placeOf(layer, path)})
    explanations.push({path: showPath(path), value, sources: sources.length === 0 ? [{layer: 'default'}] : sources})
  }
  return explanations
}

/** What was left out, with where it was written. */
export const explainIgnored = async (ignored: readonly IgnoredSetting[]): Promise<IgnoredExplanation[]> => {
  const explanations: IgnoredExplanation[] = []
  for (const {path, value, layer, reason} of ignored) {
    const source = {layer: layer.kind, where: await placeOf(layer, path)}
    explanations.push({path: showPath(path), value, source, reason})
  }
  return explanations
}

type Leaf = {readonly path: KeyPath; readonly value: ConfigValue}

const leaves = (value: ConfigValue, path: KeyPath): Leaf[] => {
  if (!isTable(value) || Object.keys(value).length === 0)
    return isTable(value) && path.length < 2 ? [] : [{path, value}]
  return Object.entries(value).flatMap(([key, inner]) => leaves(inner, [...path, key]))
}
