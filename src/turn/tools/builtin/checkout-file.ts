import {isAbsolute, join, relative} from 'node:path'
import {JpError} from '../../../errors/jp-error.js'
import {resolveInside} from '../../../platform/contained-path.js'

/**
 * A path that a model wrote, proven to lie inside the checkout (W32). An absolute one is fine when it does.
 * @throws JpError `file_refused`.
 */
export const pathInside = (root: string, written: string): string =>
  resolveInside(root, isAbsolute(written) ? relative(root, written) : join('.', written))

/**
 * As {@link pathInside}, for a change: what decides how jp and git behave here is not for tools to write.
 * @throws JpError `file_refused`.
 */
export const pathToChange = (root: string, written: string): string => {
  const path = pathInside(root, written)
  const [first] = relative(root, path).split(/[\\/]/)
  const names = relative(root, path).split(/[\\/]/)
  const owner = names.includes('.git') ? 'git' : first === '.jp' || names.at(-1)?.startsWith('.jp.') ? 'jp' : undefined
  if (owner === undefined) return path
  throw new JpError('file_refused', `${written} belongs to ${owner} itself; built-in tools don't change it.`)
}

/** Text for a model, at most this long; what is left out is said. Unit: UTF-16 code units. */
export const bounded = (text: string, maxUnits = 200_000): string => {
  if (text.length <= maxUnits) return text
  const end = isHighSurrogate(text, maxUnits - 1) ? maxUnits - 1 : maxUnits
  return `${text.slice(0, end)}\n[… ${text.length - end} characters left out …]`
}

const isHighSurrogate = (text: string, at: number): boolean => /[\ud800-\udbff]/.test(text[at] ?? '')
