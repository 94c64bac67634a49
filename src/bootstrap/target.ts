import {JpError} from '../errors/jp-error.js'

/** What `-w`, `jp w use` and `jp w show` may name (W7). */
export type Target =
  /** `?`: choose among everything. */
  | {readonly kind: 'pick'}
  /** `?s`, `?session`: choose among what this session has used. */
  | {readonly kind: 'pick-session'}
  /** `s`, `session`: what this session used before. */
  | {readonly kind: 'previous'}
  /** `r`, `recent`: the live checkout that was used last. */
  | {readonly kind: 'recent'}
  /** `cwd`, `.` */
  | {readonly kind: 'cwd'}
  /** `-`: the first line of stdin holds the target. */
  | {readonly kind: 'stdin'}
  /** `help`: print the grammar. */
  | {readonly kind: 'help'}
  /** A path, an id, `<id>@<folder>`, `<slug>@<folder>`, a slug or a part of one of these: what there is decides. */
  | {readonly kind: 'text'; readonly text: string}
  /** The empty string, or blanks alone. */
  | {readonly kind: 'empty'}

const keywords: Readonly<Record<string, Exclude<Target['kind'], 'text' | 'empty'>>> = {
  '?': 'pick',
  '?s': 'pick-session',
  '?session': 'pick-session',
  s: 'previous',
  session: 'previous',
  r: 'recent',
  recent: 'recent',
  cwd: 'cwd',
  '.': 'cwd',
  '-': 'stdin',
  help: 'help',
}

/** Reads a target: keywords come first, so a folder of such a name is written `./r`. */
export const parseTarget = (text: string): Target => {
  const kind = Object.hasOwn(keywords, text) ? keywords[text] : undefined
  if (kind !== undefined) return {kind}
  return text.trim() === '' ? {kind: 'empty'} : {kind: 'text', text}
}

/** True when the text can only be meant as a path: it has a separator, or begins as paths do. */
export const looksLikePath = (text: string): boolean => /^(?:\.{1,2}$|~)|[/\\]/.test(text)

/**
 * The one target of a command that takes it as an argument as well as with `-w`.
 * @throws JpError `usage` when both are given.
 */
export const oneTarget = (argument: string | undefined, flags: readonly string[]): string | undefined => {
  if (argument !== undefined && flags[0] !== undefined)
    throw new JpError('usage', `Two targets were given: "${argument}" and, with -w, "${flags[0]}".`)
  return argument ?? flags[0]
}
