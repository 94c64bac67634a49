import * as z from 'zod'
import type {ConfigValue} from '../value.js'

/** What the schema says of a field beyond its type: how layers merge, and which short spellings it takes. */
export type FieldRules = {
  /** A higher layer's plain list appends; without it, it replaces. For a text: strategies may be named. */
  readonly merge?: 'append' | 'text'
  /** Equal items of a list are kept once. */
  readonly dedup?: true
  /** A free table is merged key by key at every depth. */
  readonly deep?: true
  /** Short or old spellings that a layer may use, next to the type itself. */
  readonly shorthand?: z.ZodType
  /** Turns a short or an old spelling into the type itself; any other value is returned as it is. */
  readonly expand?: (value: ConfigValue) => ConfigValue
}

const rules = new WeakMap<z.core.$ZodType, FieldRules>()

/** Gives a field its rules. To be called before `describe`, `optional` and `default`, which wrap or copy the field. */
export const ruled = <Field extends z.ZodType>(field: Field, its: FieldRules): Field => {
  rules.set(field, its)
  return field
}

/** The rules of a field. */
export const rulesOf = (field: z.core.$ZodType): FieldRules => {
  const parent = field._zod.parent
  return rules.get(field) ?? (parent === undefined ? {} : rulesOf(parent))
}

/** A list to which each layer adds. */
export const growingList = <Item extends z.ZodType>(item: Item, options: {readonly dedup?: true} = {}) =>
  ruled(z.array(item), {merge: 'append', ...options})

/** Text that layers may replace, append to, or prepend to. */
export const growingText = () => ruled(z.string(), {merge: 'text'})

/** A whole number of at least `least`. */
export const whole = (least = 0) => z.int().min(least)

/** A program to start: a command line, or its parts. Without `shell` no shell sees it. */
export const command = () =>
  z.union([
    z.string(),
    z.strictObject({
      program: z.string().describe('The program.'),
      args: z.array(z.string()).optional().describe('Its arguments, one each.'),
      shell: z.boolean().optional().describe('Run the joined text with `sh -c`.'),
    }),
  ])

const durationText =
  /^\d+(?:\.\d+)?$|^\d+(?:\.\d+)?\s*(?:ns|us|µs|ms|s|m|h|d)(?:\s*\d+(?:\.\d+)?\s*(?:ns|us|µs|ms|s|m|h|d))*$/

/** A span of time such as `200ms` or `1m 30s`; a bare number is seconds. */
export const duration = () =>
  ruled(z.string().regex(durationText), {
    shorthand: z.union([z.number().min(0), z.strictObject({secs: z.number().min(0), nanos: z.number().min(0)})]),
    expand: expandDuration,
  })

const expandDuration = (value: ConfigValue): ConfigValue => {
  if (typeof value === 'number') return `${value}s`
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const {secs, nanos} = value
  return typeof secs === 'number' && typeof nanos === 'number' ? `${secs * 1_000_000 + nanos / 1000}us` : value
}

/** A policy, with `skip` as the old word for `deny`. */
export const policy = <const Words extends readonly [string, ...string[]]>(
  words: Words,
  old: Readonly<Record<string, string>>,
) =>
  ruled(z.enum(words), {
    shorthand: z.enum(Object.keys(old)),
    expand: (value) => (typeof value === 'string' && Object.hasOwn(old, value) ? (old[value] ?? value) : value),
  })
