import {type ConfigObject, type ConfigValue, isTable, type KeyPath, valueAt} from './value.js'

/** What a guard is asked about: one value that a checkout gives. */
export type GuardedValue = {
  readonly path: KeyPath
  readonly value: ConfigValue
  /** What the layers below came to: whether a value loosens depends on what it replaces. */
  readonly below: ConfigObject
}

/** One row of the table: where guarded settings stand, and which values there loosen a policy or run something. */
export type Guard = {
  /** `*` stands for any key; a last `#` for the items of a list. */
  readonly pattern: KeyPath
  /** What it lets a checkout do, in words. */
  readonly about: string
  /** Whether this value does so. Anything else (a denial, a pin) takes effect without trust. */
  readonly loosens: (given: GuardedValue) => boolean
  /** It never counts from a checkout, trusted or not (P14, P27). */
  readonly never?: true
}

const always = (): boolean => true

const strictness: Readonly<Record<string, number>> = {unattended: 0, allow: 0, ask: 1, edit: 1, deny: 2}

const strictnessOf = (value: ConfigValue | undefined, fallback: string): number =>
  strictness[typeof value === 'string' ? value : fallback] ?? 0

/** A policy of a tool loosens when it is less strict than the tool's own, else that of `*`, else the built-in one. */
const loosensTool =
  (fallback: string) =>
  ({path, value, below}: GuardedValue): boolean => {
    const key = path.at(-1) ?? ''
    const tools = ['conversation', 'tools']
    const before = valueAt(below, path) ?? valueAt(below, [...tools, '*', key])
    return strictnessOf(value, fallback) < strictnessOf(before, fallback)
  }

const switchesOn = ({path, value, below}: GuardedValue): boolean => {
  const state = (at: KeyPath): ConfigValue | undefined => valueAt(below, [...at, 'state'])
  const before = state(path) ?? state(['conversation', 'tools', '*', 'enable'])
  return isTable(value) && value['state'] === true && before === false
}

const shownAs: ReadonlySet<ConfigValue> = new Set(['json', 'function_call', 'off'])

/** A file in the checkout is harmless to send; whatever else is named is run, fetched, or taken from elsewhere. */
const reachesOut = ({value}: GuardedValue): boolean => {
  if (isTable(value)) return value['type'] !== 'file' || leadsOut(value['path'])
  if (typeof value !== 'string') return true
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(value)?.[1]?.toLowerCase()
  if (scheme === undefined) return leadsOut(value)
  return scheme !== 'file' || leadsOut(value.slice('file:'.length).replace(/^\/{0,3}/, ''))
}

const leadsOut = (path: ConfigValue | undefined): boolean =>
  typeof path !== 'string' || /^(?:[/~\\]|[a-z]:)/i.test(path) || decoded(path).split(/[/\\]/).includes('..')

const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path)
  } catch {
    return '..'
  }
}

const pinsAnew = ({path, value, below}: GuardedValue): boolean => {
  const before = valueAt(below, path)
  return before !== undefined && (!isTable(value) || !isTable(before) || value['value'] !== before['value'])
}

const tool = (key: string): KeyPath => ['conversation', 'tools', '*', key]
const llm = (key: string): KeyPath => ['providers', 'llm', '*', key]
const plugin = (key: string): KeyPath => ['plugins', 'command', '*', key]

/** Every guarded setting of jp, in this one table (W30). */
export const guards: readonly Guard[] = [
  {pattern: tool('run'), about: 'runs a tool with less asking', loosens: loosensTool('ask')},
  {pattern: tool('detached'), about: 'runs a tool without a terminal', loosens: loosensTool('deny')},
  {pattern: tool('result'), about: 'delivers results with less asking', loosens: loosensTool('unattended')},
  {pattern: tool('format'), about: 'runs a tool to show its call', loosens: ({value}) => value !== 'ask'},
  {pattern: tool('enable'), about: 'switches a tool on', loosens: switchesOn},
  {pattern: tool('source'), about: 'says what a tool is', loosens: always},
  {pattern: tool('command'), about: 'runs a command as a tool', loosens: always},
  {pattern: tool('parameters'), about: 'gives a tool its parameters', loosens: always},
  {pattern: tool('questions'), about: 'answers a tool', loosens: always},
  {pattern: tool('options'), about: 'sets up a tool', loosens: always},
  {pattern: tool('access'), about: 'gives a tool access to files', loosens: always},
  {
    pattern: [...tool('style'), 'parameters'],
    about: 'runs a command to show a call',
    loosens: ({value}) => !shownAs.has(value),
  },
  {pattern: ['providers', 'mcp', '*', 'checksum'], about: 'pins an MCP server anew', loosens: pinsAnew},
  {pattern: ['providers', 'mcp', '*'], about: 'starts or connects to an MCP server', loosens: always},
  {pattern: llm('type'), about: 'makes a provider', loosens: always},
  {pattern: llm('base_url'), about: 'sends conversations and keys elsewhere', loosens: always},
  {pattern: llm('base_url_env'), about: 'sends conversations and keys elsewhere', loosens: always},
  {pattern: llm('api_key_env'), about: 'chooses which secret is sent', loosens: always},
  {pattern: llm('script'), about: 'answers in place of a model', loosens: always},
  {pattern: ['editor', 'cmd'], about: 'runs a command as the editor', loosens: always},
  {pattern: ['editor', 'envs'], about: 'chooses the editor', loosens: always},
  {
    pattern: ['conversation', 'labels', '*', 'value'],
    about: 'runs a command for a label',
    loosens: ({value}) => isTable(value),
  },
  {
    pattern: ['conversation', 'labels', '*', 'run'],
    about: 'runs a command for a label without asking',
    loosens: ({value}) => value === 'unattended',
  },
  {pattern: ['conversation', 'attachments', '#'], about: 'runs, fetches or sends something', loosens: reachesOut},
  {pattern: ['serve', 'env', '*'], about: 'sets the environment of agents', loosens: always},
  {pattern: ['serve', 'agent', 'command'], about: 'runs a command as the agent', loosens: always},
  {pattern: ['web', 'host'], about: 'opens the web frontend to others', loosens: always},
  {
    pattern: ['plugins', 'command', 'serve-web', 'options', 'web', 'host'],
    about: 'opens the web page to the network',
    never: true,
    loosens: ({value}) => typeof value !== 'string' || !/^(?:127\.[\d.]+|::1|localhost)$/.test(value),
  },
  {pattern: plugin('options'), about: 'sets up a plugin', loosens: always},
  {
    pattern: plugin('run'),
    about: 'lets a plugin run',
    never: true,
    loosens: ({path, value, below}) =>
      value === 'allow' || strictnessOf(value, 'ask') < strictnessOf(valueAt(below, path), 'ask'),
  },
  {pattern: plugin('checksum'), about: 'pins a plugin anew', never: true, loosens: pinsAnew},
]

/** What `inherit = false` never cuts off of a user's own layers (W13). */
export const neverCut: readonly KeyPath[] = [plugin('run'), plugin('checksum')]
