import {existsSync} from 'node:fs'
import {isAbsolute, join, relative} from 'node:path'
import {hasCode, JpError} from '../errors/jp-error.js'
import {recordTrust, type Trust, type TrustedSetting, type TrustRecord} from '../workspace/trust.js'
import {checkLayer} from './check.js'
import {readWithExtends} from './extends.js'
import {type GuardedSetting, guardedSettings} from './guard.js'
import {type ConfigPlace, type Layer, readLayers} from './layers.js'
import {configErrorCodes} from './notice.js'
import {layFiles} from './pipeline.js'
import {checkoutFiles} from './search.js'
import {createStack} from './stack.js'
import {trustOf} from './trust-of.js'
import {type ConfigValue, showPath, valueAt} from './value.js'

/** A guarded setting of a checkout's file, and whether the user's trust covers it. */
export type AskedSetting = {
  readonly path: string
  readonly value: ConfigValue
  /** What it lets the checkout do. */
  readonly about: string
  /** From the root. */
  readonly file: string
  readonly digest: string
  readonly isTrusted: boolean
}

/** What a checkout asks for, over all its files. */
export type TrustReport = {
  readonly root: string
  readonly trust: Trust
  readonly settings: readonly AskedSetting[]
  /** Trusted before, and not asked for any longer. */
  readonly gone: readonly TrustedSetting[]
  /** Files that could not be read: what they ask for is not known, so not trusted. */
  readonly unread: readonly JpError[]
}

/** A place with a checkout in it. */
export type CheckoutPlace = ConfigPlace & {readonly checkoutRoot: string}

/**
 * Everything guarded that the files of a checkout ask for: those that apply here, what they extend, and those that
 * `--cfg NAME` would find. Reads only.
 * @throws JpError as `resolveConfiguration` for the files that apply here.
 */
export const trustReport = async (place: CheckoutPlace): Promise<TrustReport> => {
  const trust = trustOf(place)
  const stack = createStack(() => false)
  await layFiles(stack, (await readLayers(place)).layers)
  const found: Found[] = stack.ignored
    .filter(({reason}) => reason === 'untrusted')
    .map((setting) => ({setting, layer: setting.layer}))
  const unread: JpError[] = []
  const loadPaths = valueAt(stack.value, ['config_load_paths'])
  const paths = Array.isArray(loadPaths) ? loadPaths.filter((path) => typeof path === 'string') : []
  for (const path of checkoutFiles(place, paths)) {
    try {
      for (const layer of await layersOf(place, path)) {
        const {value} = await checkLayer(layer)
        found.push(...guardedSettings(value, stack.value).map((setting) => ({setting, layer})))
      }
    } catch (error) {
      if (!hasCode(error, ...configErrorCodes, 'file_unreadable', 'file_refused')) throw error
      unread.push(error)
    }
  }
  const settings = distinct(found.map(({setting, layer}) => asked(place, trust, {setting, layer})))
  const now = new Set(settings.map(({digest}) => digest))
  const gone = (trust.record?.settings ?? []).filter(({digest}) => !now.has(digest))
  return {root: place.checkoutRoot, trust, settings, gone, unread}
}

const layersOf = async (place: CheckoutPlace, path: string): Promise<readonly Layer[]> => {
  const belonging = {kind: 'command-line' as const, fromCheckout: true, place}
  return (await readWithExtends(path, belonging)).layers
}

type Found = {readonly setting: GuardedSetting; readonly layer: Layer}

const asked = (place: CheckoutPlace, trust: Trust, {setting, layer}: Found): AskedSetting => ({
  path: showPath(setting.path),
  value: setting.value,
  about: setting.about,
  file: relative(place.checkoutRoot, layer.file?.path ?? layer.name),
  digest: setting.digest,
  isTrusted: trust.accepts(setting.digest),
})

const distinct = (settings: readonly AskedSetting[]): AskedSetting[] => [
  ...new Map(settings.map((setting) => [`${setting.file}\n${setting.digest}`, setting])).values(),
]

/**
 * Records that the user trusts a checkout with what its files ask for now, and nothing else (W30). What was trusted of
 * files that do not apply here (another folder's `.jp` file) stays trusted while they exist.
 * @param shown what the user was shown; what the files ask for now when absent.
 * @throws JpError as {@link trustReport}; `disk_full`, `file_unwritable`.
 */
export const trustCheckout = async (
  place: CheckoutPlace,
  nowMs: number,
  shown?: TrustReport,
): Promise<{readonly report: TrustReport; readonly record: TrustRecord}> => {
  const report = shown ?? (await trustReport(place))
  const read = new Set(report.settings.map(({file}) => file))
  const elsewhere = report.gone.filter(({file}) => !read.has(file) && isFolderFile(place, file))
  const settings = [...report.settings.map(asTrusted), ...elsewhere]
  const target = {dataDirectory: place.directories.data, root: place.checkoutRoot}
  return {report, record: recordTrust(target, settings, nowMs)}
}

/** The `.jp` file of a folder that is not on the way to the config cwd. */
const isFolderFile = (place: CheckoutPlace, file: string): boolean =>
  !isAbsolute(file) && /(?:^|\/)\.jp\.[a-z0-9]+$/.test(file) && existsSync(join(place.checkoutRoot, file))

const asTrusted = ({path, value, file, digest}: AskedSetting): TrustedSetting => ({path, value, file, digest})

/**
 * Keeps trust through an edit by the user's own hand: what `jp config set` wrote into a trusted checkout is trusted too.
 * @returns false when the checkout was not trusted before, so that nothing changed.
 */
export const keepTrust = async (place: CheckoutPlace, edited: Layer, nowMs: number): Promise<boolean> => {
  const trust = trustOf(place)
  const {record} = trust
  if (record === undefined || trust.by === 'under') return trust.by !== 'none'
  const report = await trustReport(place)
  const file = relative(place.checkoutRoot, edited.name)
  const isOwn = (setting: AskedSetting): boolean => setting.isTrusted || setting.file === file
  const target = {dataDirectory: place.directories.data, root: place.checkoutRoot}
  recordTrust(
    target,
    [...report.settings.filter(isOwn).map(asTrusted), ...report.gone.filter((setting) => setting.file !== file)],
    nowMs,
  )
  return true
}
