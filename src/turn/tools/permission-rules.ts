import {join} from 'node:path'
import {JpError} from '../../errors/jp-error.js'
import {makeDirectory, readTextIfPresent, writeAtomic} from '../../platform/files.js'
import {type LockHolder, withLock} from '../../platform/lock.js'
import {sha256OfText} from '../../platform/text-digest.js'
import {parseSimpleCommand} from './simple-command.js'

/**
 * A permission that the user gave for ever (FR-28). It holds in one workspace, for one tool as it was configured then,
 * and for a command line word for word.
 */
export type PermissionRule = {
  readonly tool: string
  /** What the tool is: a changed command is another tool. */
  readonly source: string
  /** The words of the one command that it covers; undefined: every call. */
  readonly words?: readonly string[]
  /** A command line that is more than one plain command, as it stands. */
  readonly line?: string
  /** RFC 3339 */
  readonly given_at: string
}

/** What a rule would be about. */
export type RuleSubject = Pick<PermissionRule, 'tool' | 'source' | 'words' | 'line'>

/** What one call of a tool is, for rules. `command`: the line that it runs, when the model writes it. */
export const subjectOf = (tool: string, definition: unknown, command: string | undefined): RuleSubject => {
  const source = sha256OfText(JSON.stringify(definition)).slice(0, 16)
  if (command === undefined) return {tool, source}
  const words = parseSimpleCommand(command)
  return words === undefined ? {tool, source, line: command} : {tool, source, words}
}

/** True when one of the rules covers the call. Nothing is matched by a beginning. */
export const isCovered = (subject: RuleSubject, rules: readonly PermissionRule[]): boolean =>
  rules.some(
    (rule) =>
      rule.tool === subject.tool &&
      rule.source === subject.source &&
      JSON.stringify(rule.words) === JSON.stringify(subject.words) &&
      rule.line === subject.line,
  )

/** The rules of one workspace, in its user-local store. */
export interface PermissionRules {
  list(): readonly PermissionRule[]
  /** @throws JpError `state_busy`, `file_corrupt`, `disk_full`, `file_unwritable`. */
  add(subject: RuleSubject): Promise<void>
  /** Takes back those that fit; gives how many. */
  remove(fits: (rule: PermissionRule) => boolean): Promise<number>
}

const maxFileBytes = 1024 * 1024

/** Opens the rules of a workspace. A damaged file gives no permission, and is never replaced (FR-15). */
export const openPermissionRules = (silo: string, holder: () => LockHolder): PermissionRules => {
  const path = join(silo, 'tool-permissions.json')
  const change = (next: (rules: readonly PermissionRule[]) => readonly PermissionRule[]): Promise<void> => {
    makeDirectory(silo, 'user')
    return withLock(join(silo, 'locks', 'tool-permissions.lock'), holder(), () =>
      writeAtomic(path, `${JSON.stringify({rules: next(readRules(path, 'throw'))}, undefined, 2)}\n`, 'user'),
    )
  }
  return {
    list: () => readRules(path, 'none'),
    add: (subject) =>
      change((rules) => (isCovered(subject, rules) ? rules : [...rules, {...subject, given_at: holder().acquired_at}])),
    async remove(fits) {
      let removed = 0
      await change((rules) => {
        const kept = rules.filter((rule) => !fits(rule))
        removed = rules.length - kept.length
        return kept
      })
      return removed
    },
  }
}

const readRules = (path: string, damaged: 'none' | 'throw'): readonly PermissionRule[] => {
  const text = readTextIfPresent(path, {maxBytes: maxFileBytes})
  if (text === undefined) return []
  const rules = parseRules(text)
  if (rules !== undefined) return rules
  if (damaged === 'none') return []
  throw new JpError('file_corrupt', `${path} does not parse; the permission was not recorded.`, {
    hint: 'Look at the file, then move it away; jp writes a new one.',
  })
}

const parseRules = (text: string): readonly PermissionRule[] | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    const rules = typeof value === 'object' && value !== null && 'rules' in value ? value.rules : undefined
    return Array.isArray(rules) ? rules.filter(isRule) : undefined
  } catch {
    return undefined
  }
}

const isRule = (value: unknown): value is PermissionRule =>
  typeof value === 'object' &&
  value !== null &&
  'tool' in value &&
  typeof value.tool === 'string' &&
  'source' in value &&
  typeof value.source === 'string'
