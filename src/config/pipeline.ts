import {assignmentLayers, parseCfg} from './assign.js'
import {checkLayer, finished} from './check.js'
import {environmentAssignments} from './environment.js'
import {readWithExtends} from './extends.js'
import {guardNotices} from './guard-notices.js'
import {type ConfigPlace, type Layer, readLayers} from './layers.js'
import {mergeLayers, settled} from './merge.js'
import {withModelsResolved} from './model-id.js'
import type {Notice} from './notice.js'
import type {Provenance} from './provenance.js'
import {type Configuration, schema} from './schema.js'
import {fileNamed, filesNamed, type NamedFile} from './search.js'
import {createStack, type IgnoredSetting, type Stack} from './stack.js'
import {asData, replacing, storedConfiguration, storedDelta, storedForm} from './stored.js'
import {trustOf} from './trust-of.js'
import {type ConfigObject, valueAt} from './value.js'

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
  const files = await readLayers(place)
  await layFiles(stack, files.layers)
  await layEnvironment(stack, place)
  const implicit = stack.value
  if (options.conversation !== undefined) await layConversation(stack, options.conversation)
  const change = await layCfg(stack, {place, options, implicit})
  const notices = [...files.notices, ...stack.notices, ...guardNotices(stack.ignored, trust.by !== 'none')]
  return result(stack, change, {options, notices})
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

const handmade = (kind: 'environment' | 'command-line', name: string, value: ConfigObject): Layer => ({
  kind,
  name,
  value,
  fromCheckout: false,
  group: name,
})

const layConversation = async (stack: Stack, {base, deltas}: ConversationConfig): Promise<void> => {
  const {inherit: _, extends: __, ...value} = storedConfiguration(base, deltas)
  const name = 'the conversation'
  // It may have come with the checkout, in a projection: it is guarded like one of its files.
  const layer: Layer = {kind: 'conversation', name, value, fromCheckout: true, group: name}
  await stack.lay({layer, value: replacing(value), notices: []})
}

type CfgContext = {
  readonly place: ConfigPlace
  readonly options: ResolveOptions
  readonly implicit: ConfigObject
}

/** What `--cfg` did: its layers over the conversation's own, or everything when it reset. */
type CfgChange = {readonly before: ConfigObject; readonly after: ConfigObject | undefined}

const layCfg = async (stack: Stack, context: CfgContext): Promise<CfgChange> => {
  const {conversation, cfg = []} = context.options
  const before = storedConfiguration(conversation?.base, conversation?.deltas ?? [])
  let after: ConfigObject | undefined = before
  for (const argument of cfg) {
    const parsed = parseCfg(argument)
    if (parsed.kind === 'reset') {
      stack.resetTo(parsed.to === 'NONE' ? {} : context.implicit)
      after = undefined
      continue
    }
    for (const layer of await cfgLayers(parsed, argument, stack, context)) {
      const kept = await stack.lay(await checkLayer(layer))
      if (after !== undefined) after = mergeLayers(schema, {below: after, above: kept})
    }
  }
  return {before, after}
}

const cfgLayers = async (
  parsed: Exclude<ReturnType<typeof parseCfg>, {kind: 'reset'}>,
  argument: string,
  stack: Stack,
  {place, options}: CfgContext,
): Promise<readonly Layer[]> => {
  const name = `--cfg ${argument}`
  if (parsed.kind === 'object') return [handmade('command-line', name, parsed.value)]
  if (parsed.kind === 'assignment') {
    return assignmentLayers(schema, parsed, name).map((value) => handmade('command-line', name, value))
  }
  const files: NamedFile[] =
    parsed.kind === 'file'
      ? [fileNamed(place, options.launchCwd, parsed.path)]
      : filesNamed(place, options.launchCwd, {name: parsed.name, loadPaths: loadPathsOf(stack.value)})
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

type Ending = {readonly options: ResolveOptions; readonly notices: readonly Notice[]}

const result = async (stack: Stack, change: CfgChange, {options, notices}: Ending): Promise<Resolution> => {
  const whole = await finished(stack.value, stack.provenance)
  const data = asData(whole)
  const baseConfig = storedForm(data)
  const delta = storedDelta(change.before, settled(schema, change.after ?? data))
  const {conversation} = options
  return {
    config: withModelsResolved(whole),
    baseConfig,
    delta,
    stored:
      conversation === undefined
        ? storedConfiguration(baseConfig, [])
        : storedConfiguration(conversation.base, [...conversation.deltas, ...(delta === undefined ? [] : [delta])]),
    notices,
    ignored: stack.ignored,
    data,
    provenance: stack.provenance,
  }
}
