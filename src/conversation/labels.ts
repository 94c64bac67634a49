import {JpError} from '../errors/jp-error.js'

const keyGrammar = /^[A-Za-z][A-Za-z0-9_-]*$/

/**
 * Labels as typed: `key` or `key=value` (facts 2.3).
 * @throws JpError `usage` for a key that is none.
 */
export const parseLabels = (typed: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    typed.map((text) => {
      const equals = text.indexOf('=')
      const key = equals === -1 ? text : text.slice(0, equals)
      return [labelKey(key), equals === -1 ? '' : text.slice(equals + 1)]
    }),
  )

/** @throws JpError `usage`. */
export const labelKey = (key: string): string => {
  if (keyGrammar.test(key)) return key
  throw new JpError('usage', `"${key}" can't be a label.`, {
    hint: 'A label begins with a letter; letters, digits, _ and - may follow: area=store.',
  })
}

/** Labels without those of these keys. */
export const withoutLabels = (
  labels: Readonly<Record<string, string>>,
  keys: readonly string[],
): Readonly<Record<string, string>> => Object.fromEntries(Object.entries(labels).filter(([key]) => !keys.includes(key)))

/** True when `labels` hold what was typed: `key` with any value, or `key=value`. */
export const matchesLabel = (labels: Readonly<Record<string, string>>, typed: string): boolean => {
  const [key = '', ...value] = typed.split('=')
  const own = Object.hasOwn(labels, key) ? labels[key] : undefined
  return own !== undefined && (value.length === 0 || own === value.join('='))
}
