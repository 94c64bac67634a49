import {dirname, join} from 'node:path'
import {parsePackageName} from '../platform/id-grammar.js'
import {isRecord, recordIn, textIn} from './install/json-fields.js'
import {readPackageFiles} from './install/package-files.js'

/** A dependency of a package: what it asks for, and what it has. */
export type Dependency = {
  readonly name: string
  /** The range in `package.json`. */
  readonly from: string
  readonly version: string
  readonly path: string
}

/**
 * The direct dependencies that lie beside a package or in it, by name. JSON files are read, nothing is loaded (P3).
 * @param tree the outermost folder that is looked in: that of the version in our store, or a linked folder.
 */
export const dependenciesOf = (root: string, tree: string): readonly Dependency[] => {
  const packageJson = packageJsonIn(root)
  return Object.entries(recordIn(packageJson, 'dependencies'))
    .flatMap(([name, from]) => {
      const found = parsePackageName(name) === undefined ? undefined : find(name, root, tree)
      return found === undefined ? [] : [{name, from: String(from), ...found}]
    })
    .sort((left, right) => (left.name < right.name ? -1 : 1))
}

/** As Node looks packages up, but no higher than the tree. */
const find = (name: string, from: string, tree: string): {version: string; path: string} | undefined => {
  const path = join(from, 'node_modules', name)
  const version = textIn(packageJsonIn(path), 'version')
  if (version !== undefined) return {version, path}
  return from.length > tree.length ? find(name, dirname(from), tree) : undefined
}

const packageJsonIn = (root: string): Readonly<Record<string, unknown>> => {
  const files = readPackageFiles(root)
  return 'reason' in files || !isRecord(files.packageJson) ? {} : files.packageJson
}
