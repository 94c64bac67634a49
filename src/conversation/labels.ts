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
