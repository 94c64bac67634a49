import {JpError} from '../errors/jp-error.js'

/**
 * Marks a flag whose value may be left out: `--tmp`, `--tmp=2h`. The argv layer reads the mark from the manifest and never
 * takes the next word for the value; oclif then sees an empty one.
 */
export const optionalValue = <Flag extends object>(flag: Flag): Flag => Object.assign(flag, {optionalValue: true})

/** The number behind a flag whose value may be left out; undefined without one. @throws JpError `usage`. */
export const countOf = (flag: string, text: string): number | undefined => {
  if (text === '') return undefined
  if (/^\d{1,6}$/.test(text)) return Number(text)
  throw new JpError('usage', `--${flag} can't be "${text}".`, {hint: `Give it a number: --${flag}=3`})
}
