import * as z from 'zod'
import {ruled} from './rules.js'

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
    expand: 'duration',
  })

/** Policies, and what an old word for one of them is called in {@link expansions}. */
type Policies<Words> = {readonly words: Words; readonly old: string; readonly expand: 'toolPolicy' | 'pluginPolicy'}

/** A policy, which had another word once. */
export const policy = <const Words extends readonly [string, ...string[]]>({words, old, expand}: Policies<Words>) =>
  ruled(z.enum(words), {shorthand: z.enum([old]), expand})
