import {existsSync} from 'node:fs'
import {basename, dirname, join} from 'node:path'
import {JpError} from '../errors/jp-error.js'
import {canonicalIfPresent} from '../platform/contained-path.js'
import {makeDirectory, readText, writeAtomic} from '../platform/files.js'
import {type LockHolder, withLock} from '../platform/lock.js'
import {storageName} from '../workspace/checkout.js'
import {assignmentLayers, type CfgArgument, parseCfg, textValue} from './assign.js'
import {checkLayer} from './check.js'
import {type Change, editText} from './edit-text.js'
import {configFilesNamed, proveInside} from './files.js'
import {type GuardedLayer, type GuardedSetting, guardLayer} from './guard.js'
import type {ConfigPlace, Layer} from './layers.js'
import {normalise} from './normalise.js'
import type {Notice} from './notice.js'
import {schema} from './schema-outline.js'
import {type ConfigFile, formatOf, parseConfigText, readConfigText} from './syntax.js'
import {fieldAt} from './tree.js'
import {type ConfigObject, type ConfigValue, isTable, type KeyPath, parseKeyPath, valueAt} from './value.js'

/** Which file is edited. */
export type EditTarget = 'user-global' | 'workspace' | 'directory' | 'user-workspace'

/** Where an edit takes place, and who makes it. */
export type EditPlace = ConfigPlace & {
  /** This run, as the holder of the lock that writers of configuration take turns by. */
  readonly holder: LockHolder
}

/** What an edit did. */
export type Edited = {
  readonly file: string
  /** False when the file already said so. */
  readonly isChanged: boolean
  readonly notices: readonly Notice[]
  /** The layer as it is now. */
  readonly layer: Layer
  /** Guarded settings that this edit brought into a checkout. */
  readonly guarded: Pick<GuardedLayer, 'leftOut' | 'never'>
}

/** The file of a target: the one that is there, else the TOML one. */
export const targetFile = (place: ConfigPlace, target: EditTarget): string => {
  const [folder, stem] = folderOf(place, target)
  return configFilesNamed(folder, stem)[0] ?? join(folder, `${stem}.toml`)
}

const folderOf = (place: ConfigPlace, target: EditTarget): readonly [folder: string, stem: string] => {
  if (target === 'user-global') return [place.directories.config, 'config']
  if (target === 'directory') return [place.configCwd, '.jp']
  if (target === 'user-workspace' && place.silo !== undefined) return [place.silo, 'config']
  if (target === 'workspace' && place.checkoutRoot !== undefined)
    return [join(place.checkoutRoot, storageName), 'config']
  throw new JpError('workspace_not_found', 'There is no workspace here to configure.', {
    hint: 'Add --user-global to set it for all workspaces, or run "jp init" to make one here.',
  })
}

/**
 * Sets keys in a file: each argument is one of the `KEY=VALUE` forms of `--cfg`. The file is checked as a whole before
 * it is written, atomically.
 * @throws JpError `config_key_unknown`, `config_value_invalid`, `config_malformed` (the file was broken before),
 * `config_invalid`, `config_changed` (another program keeps writing it), `state_busy`, `file_refused`, `file_unwritable`.
 */
export const setKeys = (place: EditPlace, target: EditTarget, assignments: readonly string[]): Promise<Edited> =>
  edit(place, target, (file) => {
    const changes: Change[] = []
    let {value} = file
    for (const text of assignments) {
      const change = changeOf(parseCfg(text), text, value)
      changes.push(change)
      value = valueWith(value, change.path, change.value ?? null)
    }
    return changes
  })

/**
 * Takes keys out of a file.
 * @throws JpError as {@link setKeys}.
 */
export const unsetKeys = (place: EditPlace, target: EditTarget, keys: readonly string[]): Promise<Edited> =>
  edit(place, target, () => keys.map((key) => ({path: parseKeyPath(key), value: undefined})))

/** How often an edit starts anew because another program wrote the file meanwhile. */
const maxAttempts = 20

const edit = async (
  place: EditPlace,
  target: EditTarget,
  changesOf: (file: ConfigFile) => readonly Change[],
): Promise<Edited> => {
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const file = await readTarget(place, target)
    const edited = await write(place, target, {file, changes: changesOf(file)})
    if (edited !== undefined) return edited
  }
  throw new JpError('config_changed', `${targetFile(place, target)} is being changed by another program all the time.`)
}

const readTarget = async (place: ConfigPlace, target: EditTarget): Promise<ConfigFile> => {
  const path = targetFile(place, target)
  if (!existsSync(path)) return {path, format: formatOf(path), text: '', value: {}}
  if (isOfCheckout(target) && place.checkoutRoot !== undefined) proveInside(place.checkoutRoot, path)
  return parseConfigText(path, formatOf(path), readConfigText(path))
}

const isOfCheckout = (target: EditTarget): boolean => target === 'workspace' || target === 'directory'

const changeOf = (argument: CfgArgument, text: string, file: ConfigObject): Change => {
  if (argument.kind !== 'assignment') {
    throw new JpError('usage', `"${text}" sets no key.`, {hint: 'Write KEY=VALUE, or KEY:=JSON.'})
  }
  const {path, how, value} = argument
  // Checks the key and the value; what is written is what the user wrote.
  assignmentLayers(schema, argument, text)
  const field = fieldAt(schema, path) ?? schema
  const given = 'json' in value ? value.json : textValue(field, value.text, path, text)
  if (given === null) return {path, value: undefined}
  return {path, value: how === 'set' ? given : added(valueAt(file, path), given, field.rules.merge === 'text')}
}

/** What a key of a file holds once something is added to it. */
const added = (now: ConfigValue | undefined, given: ConfigValue, isText: boolean): ConfigValue => {
  if (isTable(now) && Object.hasOwn(now, 'value') && Object.hasOwn(now, 'strategy')) {
    return {...now, value: added(now['value'], given, isText)}
  }
  if (isText)
    return typeof now === 'string'
      ? `${now}${typeof given === 'string' ? given : ''}`
      : {value: given, strategy: 'append'}
  if (isTable(given)) return isTable(now) ? {...now, ...given} : given
  const items = Array.isArray(given) ? given : [given]
  return Array.isArray(now) ? [...now, ...items] : items
}

const valueWith = (table: ConfigObject, path: KeyPath, value: ConfigValue): ConfigObject => {
  const [key = '', ...rest] = path
  const inner = table[key]
  return {...table, [key]: rest.length === 0 ? value : valueWith(isTable(inner) ? inner : {}, rest, value)}
}

/** Undefined when another program wrote the file since it was read. */
const write = async (
  place: EditPlace,
  target: EditTarget,
  {file, changes}: {readonly file: ConfigFile; readonly changes: readonly Change[]},
): Promise<Edited | undefined> => {
  const text = await editText(file, changes)
  const value = await parseConfigText(file.path, file.format, text)
  const layer = layerOf(target, value)
  const checked = await checkLayer(layer)
  const isChanged = text !== file.text
  if (isChanged && !(await writeUnlessChanged(place, target, {before: file, text}))) return undefined
  const guarded = newlyGuarded(layer, normalise(schema, file.value).value, checked.value)
  return {file: file.path, isChanged, notices: checked.notices, layer, guarded}
}

const layerOf = (target: EditTarget, file: ConfigFile): Layer => ({
  kind: target,
  name: file.path,
  file,
  value: file.value,
  fromCheckout: isOfCheckout(target),
  group: file.path,
})

type Written = {readonly before: ConfigFile; readonly text: string}

/** Writes a file when it still is what was read; false when another program wrote it meanwhile. */
export const writeUnlessChanged = (place: EditPlace, target: EditTarget, {before, text}: Written): Promise<boolean> => {
  const lock = join(place.directories.data, 'locks', 'config.lock')
  return withLock(lock, place.holder, () => {
    const now = existsSync(before.path) ? readConfigText(before.path) : ''
    if (now !== before.text) return false
    writeConfig(place, target, before.path, text)
    return true
  })
}

const newlyGuarded = (layer: Layer, before: ConfigObject, after: ConfigObject): Edited['guarded'] => {
  if (!layer.fromCheckout) return {leftOut: [], never: []}
  const [old, now] = [before, after].map((value) => guardLayer(value, {}, () => false))
  const known = new Set([...(old?.leftOut ?? []), ...(old?.never ?? [])].map(({digest}) => digest))
  const fresh = (settings: readonly GuardedSetting[] | undefined): GuardedSetting[] =>
    (settings ?? []).filter(({digest}) => !known.has(digest))
  return {leftOut: fresh(now?.leftOut), never: fresh(now?.never)}
}

/** A link is followed: a user's configuration often lives elsewhere, and a checkout's was proven to lie in it. */
const writeConfig = (place: ConfigPlace, target: EditTarget, path: string, text: string): void => {
  const audience = isOfCheckout(target) ? 'umask' : 'user'
  makeDirectory(dirname(path), audience)
  if (isOfCheckout(target) && place.checkoutRoot !== undefined) proveInside(place.checkoutRoot, path)
  const folder = canonicalIfPresent(dirname(path)) ?? dirname(path)
  const mark = existsSync(path) && hasByteOrderMark(path) ? '\ufeff' : ''
  writeAtomic(canonicalIfPresent(path) ?? join(folder, basename(path)), `${mark}${text}`, 'umask')
}

const hasByteOrderMark = (path: string): boolean => readText(path).startsWith('\ufeff')
