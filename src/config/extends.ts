import {globSync, realpathSync} from 'node:fs'
import {dirname, extname, join, resolve} from 'node:path'
import {JpError} from '../errors/jp-error.js'
import {findConfigFile, isFile, isOfCheckout, proveInside} from './files.js'
import type {ConfigPlace, Following, Layer, LayerKind} from './layers.js'
import type {Notice} from './notice.js'
import {type ConfigFile, formats, readConfigFile, whereIs} from './syntax.js'
import {type ConfigValue, isTable} from './value.js'

/** Which layer a file belongs to. */
export type Belonging = {
  readonly kind: LayerKind
  /** A checkout names it, so all that it extends is the checkout's too, and lies in it. */
  readonly fromCheckout: boolean
  readonly place: ConfigPlace
  readonly following?: Following
  /** What people call it; the path when absent. */
  readonly name?: string
}

/** How deep files may extend files. */
const maxExtends = 255

type Reading = {
  readonly belonging: Belonging
  readonly group: string
  readonly layers: Layer[]
  readonly notices: Notice[]
}

/**
 * Reads a file and all that it extends, in the order in which they lie over each other: `before` files below it,
 * `after` files over it.
 * @throws JpError as `readConfigFile`; `config_invalid` for a cycle; `file_refused` when a checkout leads out of itself.
 */
export const readWithExtends = async (
  path: string,
  belonging: Belonging,
): Promise<{readonly layers: readonly Layer[]; readonly notices: readonly Notice[]}> => {
  const reading: Reading = {belonging, group: path, layers: [], notices: []}
  await readOne(path, [], reading)
  return reading
}

const readOne = async (path: string, above: readonly string[], reading: Reading): Promise<void> => {
  const canonical = canonicalOf(path)
  if (above.includes(canonical)) throw cycle([...above.slice(above.indexOf(canonical)), canonical])
  if (above.length >= maxExtends) {
    throw new JpError('config_invalid', `${path} is extended over more than ${maxExtends} files.`)
  }
  const file = await readConfigFile(path)
  const entries = reading.belonging.following === 'own-files' ? [] : extendsEntries(file.value['extends'])
  const way = [...above, canonical]
  for (const entry of entries.filter(({strategy}) => strategy === 'before')) await readEntry(entry, file, way, reading)
  const {kind, name, place, fromCheckout} = reading.belonging
  reading.layers.push({
    kind,
    name: above.length === 0 ? (name ?? path) : path,
    value: file.value,
    file,
    fromCheckout: fromCheckout || isOfCheckout(place, path),
    group: reading.group,
  })
  for (const entry of entries.filter(({strategy}) => strategy === 'after')) await readEntry(entry, file, way, reading)
}

const canonicalOf = (path: string): string => {
  try {
    return realpathSync.native(path)
  } catch {
    return path
  }
}

const cycle = (files: readonly string[]): JpError =>
  new JpError('config_invalid', `Configuration files extend each other in a circle: ${files.join(' extends ')}.`, {
    hint: `Remove one "extends" of the circle, for example in ${files.at(-2) ?? files[0]}.`,
  })

type Entry = {readonly path: string; readonly strategy: 'before' | 'after'; readonly index: number}

/** The entries of `extends`; what is no entry is reported when the layer is checked against the schema. */
const extendsEntries = (value: ConfigValue | undefined): Entry[] =>
  (Array.isArray(value) ? value : []).flatMap((item, index) => {
    if (typeof item === 'string') return [{path: item, strategy: 'before' as const, index}]
    const path = isTable(item) ? item['path'] : undefined
    if (typeof path !== 'string' || !isTable(item)) return []
    return [{path, strategy: item['strategy'] === 'after' ? ('after' as const) : ('before' as const), index}]
  })

const readEntry = async (entry: Entry, file: ConfigFile, above: readonly string[], reading: Reading): Promise<void> => {
  const folder = dirname(file.path)
  const {fromCheckout, place} = reading.belonging
  const {checkoutRoot} = place
  if (/[*?[\]{}]/.test(entry.path)) {
    // A glob that matches the file itself, or one that led here, does not mean it.
    const paths = globbed(folder, entry.path).filter((path) => !above.includes(canonicalOf(path)))
    for (const path of paths) {
      if (fromCheckout && checkoutRoot !== undefined) proveInside(checkoutRoot, path)
      await readOne(path, above, reading)
    }
    return
  }
  const wanted = resolve(folder, entry.path)
  if (fromCheckout && checkoutRoot !== undefined) proveInside(checkoutRoot, wanted)
  const path = findConfigFile(wanted)
  if (path !== undefined) return readOne(path, above, reading)
  const where = await whereIs(file, ['extends', String(entry.index)])
  reading.notices.push({kind: 'missing', text: `${where} extends ${entry.path}, which does not exist.`})
}

const endings: ReadonlySet<string> = new Set(formats.map((format) => `.${format}`))

const globbed = (folder: string, pattern: string): string[] =>
  globSync(pattern, {cwd: folder})
    .map((name) => join(folder, name))
    .filter((path) => endings.has(extname(path)) && isFile(path))
    .sort()
