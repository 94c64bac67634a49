import {splitModelId} from '../platform/model-id.js'
import {type ConfigValue, isTable} from './value.js'

type Expand = (value: ConfigValue) => ConfigValue

const toggles: Readonly<Record<string, ConfigValue>> = {
  on: {state: true, allow_toggle: 'any'},
  off: {state: false, allow_toggle: 'any'},
  explicit: {state: false, allow_toggle: 'if_named'},
  always: {state: true, allow_toggle: 'never'},
}

/** Text stands for a table in which it is the value of one key. */
const textAs =
  (table: (text: string) => ConfigValue): Expand =>
  (value) =>
    typeof value === 'string' ? table(value) : value

const renaming =
  (old: Readonly<Record<string, string>>): Expand =>
  (value) =>
    typeof value === 'string' && Object.hasOwn(old, value) ? (old[value] ?? value) : value

/**
 * What turns short and old spellings into the canonical ones, by name: the schema names them, so that its outline is
 * plain data. Each takes any value and returns as it is what is no such spelling.
 */
export const expansions = {
  duration: (value) => {
    if (typeof value === 'number') return `${value}s`
    if (!isTable(value)) return value
    const {secs, nanos} = value
    return typeof secs === 'number' && typeof nanos === 'number' ? `${secs * 1_000_000 + nanos / 1000}us` : value
  },
  modelId: textAs((text) => splitModelId(text) ?? text),
  reasoning: (value) => {
    if (typeof value === 'boolean') return value ? 'auto' : 'off'
    if (value === 'off' || value === 'auto') return value
    return typeof value === 'string' || typeof value === 'number' ? {effort: value} : value
  },
  parameters: (value) => {
    if (!isTable(value) || !isTable(value['other'])) return value
    const {other, ...rest} = value
    return {...other, ...rest}
  },
  section: textAs((content) => ({content})),
  label: textAs((value) => ({value})),
  checksum: textAs((value) => ({algorithm: 'sha256', value})),
  toggle: (value) => {
    if (typeof value === 'boolean') return toggles[value ? 'on' : 'off'] ?? value
    return typeof value === 'string' && Object.hasOwn(toggles, value) ? (toggles[value] ?? value) : value
  },
  inlineResults: (value) => {
    const truncate = isTable(value) ? value['truncate'] : undefined
    return isTable(truncate) ? (truncate['lines'] ?? value) : value
  },
  toolPolicy: renaming({skip: 'deny'}),
  pluginPolicy: renaming({unattended: 'allow'}),
} satisfies Record<string, Expand>

/** The name of one of the {@link expansions}. */
export type Expansion = keyof typeof expansions
