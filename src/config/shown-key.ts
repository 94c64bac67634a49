import {JpError} from '../errors/jp-error.js'
import {nearest} from '../platform/nearest.js'
import type {Field} from './outline.js'
import {schema} from './schema-outline.js'
import {childField, knownKeys} from './tree.js'
import {parseKeyPath, showPath} from './value.js'

/**
 * The key that a person names.
 * @throws JpError `config_key_unknown` with the nearest key.
 */
export const keyOf = (text: string): readonly string[] => {
  const path = parseKeyPath(text)
  let field: Field = schema
  for (const [index, key] of path.entries()) {
    const child = childField(field, key)
    if (child === undefined) {
      const near = nearest(key, knownKeys(field))
      const better = near === undefined ? undefined : [...path.slice(0, index), near, ...path.slice(index + 1)]
      throw new JpError('config_key_unknown', `There is no configuration key ${showPath(path)}.`, {
        hint:
          better === undefined ? '"jp config show --defaults" shows all keys.' : `Did you mean ${showPath(better)}?`,
      })
    }
    field = child
  }
  return path
}
