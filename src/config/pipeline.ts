import {lazily} from '../platform/lazily.js'
import {assignmentLayers, parseCfg} from './assign.js'
import {cfgLayers, handmade} from './cfg-layers.js'
import {checkLayer, finished} from './check.js'
import {withModelsResolved} from './configured-models.js'
import {environmentAssignments} from './environment.js'
import {guardNotices} from './guard-notices.js'
import {type ConfigPlace, type Layer, type ReadLayers, readLayers} from './layers.js'
import {mergeLayers, settled} from './merge.js'
import type {Notice} from './notice.js'
import {ownDigests} from './own-digests.js'
import type {Provenance} from './provenance.js'
import type {Configuration} from './schema.js'
import {schema} from './schema-outline.js'
import {createStack, type IgnoredSetting, type Stack} from './stack.js'
import {asData, replacing, storedConfiguration, storedDelta, storedForm} from './stored.js'
import {trustOf} from './trust-of.js'
import type {ConfigObject} from './value.js'

/** The stored configuration of a conversation. */
export type ConversationConfig = {
  /** The content of `base_config.json`, or undefined. */
  readonly base: unknown
  /** The `delta` of every `config_delta` event, in order. */
  readonly deltas: readonly unknown[]
  /** Guarded settings that the user gave this conversation by hand, by digest: `readOwnSettings`. */
  readonly own?: ReadonlySet<string>
}

/** What a resolution is asked for. */
export type ResolveOptions = {
  /** The folder in which the user ran jp: `@file` and names of files are looked up there. */
  readonly launchCwd: string
  /** The `--cfg` arguments, left to right. */
  readonly cfg?: readonly string[]
  readonly conversation?: ConversationConfig
  /** Overrides the user's trust record, for tests and for what never trusts. */
  readonly trusted?: boolean
}

/** A resolved configuration and how it came about. */
export type Resolution = {
  readonly config: Configuration
  /** Every value in the form of `base_config.json`, for a new conversation. */
  readonly baseConfig: ConfigObject
  /** What `--cfg` changes in the conversation's own configuration, as a `config_delta`; undefined for nothing. */
  readonly delta: ConfigObject | undefined
  /** The conversation's own configuration once `baseConfig`, or `delta`, is stored. */
  readonly stored: ConfigObject
  /** Which guarded settings of `stored` are the user's own, by digest. */
  readonly own: ReadonlySet<string>
  /** What there is to say, each once. */
  readonly notices: readonly Notice[]
  /** Guarded settings that did not take effect. */
  readonly ignored: readonly IgnoredSetting[]
  /** The configuration as data, model aliases as they were written. */
  readonly data: ConfigObject
  readonly provenance: Provenance
}

/**
 * Resolves the configuration of a place (W13): files, environment, the conversation's own, `--cfg`. The one pipeline of
 * `jp query`, plugins, the daemon and ACP (S32). Writes nothing.
 * @throws JpError `config_malformed`, `config_invalid`, `file_unreadable`, `file_refused` for files; `config_key_unknown`,
 * `config_value_invalid`, `file_not_found` for `--cfg` and the environment.
 */
export const resolveConfiguration = async (place: ConfigPlace, options: ResolveOptions): Promise<Resolution> => {
  const trust = trustOf(place, options.trusted)
  const own = options.conversation?.own
  const stack = createStack(
    ({digest}, layer) => trust.accepts(digest) || (layer.kind === 'conversation' && own?.has(digest) === true),
  )
  const {reset, rest} = sinceReset(options.cfg ?? [])
  const files = reset === 'NONE' ? nothingRead : await readLayers(place)
  await layFiles(stack, files.layers)
  if (reset !== 'NONE') await layEnvironment(stack, place)
  if (reset === undefined && options.conversation !== undefined) await layConversation(stack, options.conversation)
  const change = await layCfg(stack, rest, {place, ...options, isReset: reset !== undefined})
  const notices = [...files.notices, ...stack.notices, ...guardNotices(stack.ignored, trust.by !== 'none')]
  return result(stack, change, {options, notices})
}

const nothingRead: ReadLayers = {layers: [], notices: []}

/**
 * What counts of the `--cfg` arguments: those behind the last `NONE` (only the built-in defaults lie under them) or
 * `WORKSPACE` (files and environment do, the conversation's own configuration does not).
 */
const sinceReset = (
  cfg: readonly string[],
): {readonly reset: 'NONE' | 'WORKSPACE' | undefined; readonly rest: readonly string[]} => {
  const at = cfg.findLastIndex((argument) => parseCfg(argument).kind === 'reset')
  return {reset: at === -1 ? undefined : cfg[at] === 'NONE' ? 'NONE' : 'WORKSPACE', rest: cfg.slice(at + 1)}
}

/** Lays the files of a place over each other; a file with `inherit = false` cuts off what lies under it. */
export const layFiles = async (stack: Stack, layers: readonly Layer[]): Promise<void> => {
  for (const group of groupsOf(layers)) {
    const checked = []
    for (const layer of group) checked.push(await checkLayer(layer))
    const inherit = checked.map(({value}) => value['inherit']).findLast((value) => value !== undefined)
    if (inherit === false) stack.cut(group.some(({fromCheckout}) => fromCheckout))
    for (const layer of checked) await stack.lay(layer)
  }
}

const groupsOf = (layers: readonly Layer[]): Layer[][] => {
  const groups: Layer[][] = []
  for (const layer of layers) {
    const last = groups.at(-1)
    if (last?.[0]?.group === layer.group) last.push(layer)
    else groups.push([layer])
  }
  return groups
}

const layEnvironment = async (stack: Stack, place: ConfigPlace): Promise<void> => {
  for (const {name, ...assignment} of environmentAssignments(schema, place.env, stack.value)) {
    for (const value of assignmentLayers(schema, assignment, name)) {
      await stack.lay(await checkLayer(handmade('environment', name, value)))
    }
  }
}

const layConversation = async (stack: Stack, {base, deltas}: ConversationConfig): Promise<void> => {
  const {inherit: _, extends: __, ...value} = storedConfiguration(base, deltas)
  const name = 'the conversation'
  // It may have come with the checkout, in a projection: it is guarded like one of its files.
  const layer: Layer = {kind: 'conversation', name, value, fromCheckout: true, group: name}
  await stack.lay({layer, value: replacing(value), notices: []})
}

type CfgContext = {
  readonly place: ConfigPlace
  readonly launchCwd: string
  readonly conversation?: ConversationConfig
  /** The conversation's own configuration does not count. */
  readonly isReset: boolean
}

/** What `--cfg` makes of the conversation's own configuration; `after` is undefined when it was reset to something else. */
type CfgChange = {readonly before: ConfigObject; readonly after: ConfigObject | undefined}

const layCfg = async (stack: Stack, cfg: readonly string[], context: CfgContext): Promise<CfgChange> => {
  const {conversation} = context
  const before = storedConfiguration(conversation?.base, conversation?.deltas ?? [])
  let after = before
  for (const argument of cfg) {
    for (const layer of await cfgLayers(argument, {...context, below: stack.value})) {
      const kept = await stack.lay(await checkLayer(layer))
      after = mergeLayers(schema, {below: after, above: kept})
    }
  }
  return {before, after: context.isReset ? undefined : after}
}

type Ending = {readonly options: ResolveOptions; readonly notices: readonly Notice[]}

const result = async (stack: Stack, change: CfgChange, {options, notices}: Ending): Promise<Resolution> => {
  const whole = await finished(stack.value, stack.provenance)
  const data = asData(whole)
  const baseConfig = storedForm(data)
  const {conversation} = options
  // Only who goes on to store a conversation asks for these; a plugin waits for the rest (Q15).
  const forStorage: Pick<Resolution, 'delta' | 'stored' | 'own'> = lazily({
    delta: () => storedDelta(change.before, settled(schema, change.after ?? data)),
    stored: () => {
      if (conversation === undefined) return storedConfiguration(baseConfig, [])
      const {delta} = forStorage
      return storedConfiguration(conversation.base, [...conversation.deltas, ...(delta === undefined ? [] : [delta])])
    },
    own: () => ownDigests(forStorage.stored, stack, conversation?.own ?? new Set()),
  })
  return Object.assign(forStorage, {
    config: withModelsResolved(whole),
    baseConfig,
    notices,
    ignored: stack.ignored,
    data,
    provenance: stack.provenance,
  })
}
