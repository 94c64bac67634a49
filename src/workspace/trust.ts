import {unlinkSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {isMissing, writeFailure} from '../platform/file-errors.js'
import {makeDirectory, readTextIfPresent, writeAtomic} from '../platform/files.js'
import {sha256OfText} from '../platform/text-digest.js'
import {findGitPlace} from './git-directory.js'

/** A guarded setting as a trust record keeps it: enough to know it again and to show what changed. */
export type TrustedSetting = {
  /** As people write it: `conversation.tools.a.command`. */
  readonly path: string
  readonly value: unknown
  /** The file that gives it, from the root. */
  readonly file: string
  /** Hash of path and value. */
  readonly digest: string
}

/** What the user trusts: one checkout, the worktrees of one repository, or all below a folder. */
export type TrustSubject =
  | {readonly kind: 'root'; readonly path: string}
  | {readonly kind: 'git'; readonly path: string; readonly subfolder: string}
  | {readonly kind: 'under'; readonly path: string}

/** The user's own record of trust, user-local, one file per subject. */
export type TrustRecord = {
  readonly subject: TrustSubject
  /** RFC 3339 UTC */
  readonly trusted_at: string
  /** Hash over all settings: two checkouts with the same settings have the same. */
  readonly hash: string
  readonly settings: readonly TrustedSetting[]
}

/** Whose trust is asked for. */
export type TrustPlace = {
  readonly dataDirectory: string
  /** Canonical root of the checkout. */
  readonly root: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** The user's trust in a checkout. */
export type Trust = {
  /** Why it is trusted; `none` when it is not. */
  readonly by: 'environment' | 'under' | 'root' | 'git' | 'none'
  readonly record: TrustRecord | undefined
  /** Whether a guarded setting with this digest takes effect. */
  accepts(digest: string): boolean
}

/** `JP_TRUST_WORKSPACE=1` trusts for one run (CI). */
export const trustVariable = 'JP_TRUST_WORKSPACE'

/**
 * Reads the user's trust in a checkout (W30). Writes nothing; a record that can't be read counts as none.
 */
export const readTrust = (place: TrustPlace): Trust => {
  if (place.env[trustVariable] === '1') return {by: 'environment', record: undefined, accepts: () => true}
  const under = recordAbove(place.dataDirectory, place.root)
  if (under !== undefined) return {by: 'under', record: under, accepts: () => true}
  const subject = subjectsOf(place.root).find((candidate) => readRecord(place.dataDirectory, candidate) !== undefined)
  const record = subject === undefined ? undefined : readRecord(place.dataDirectory, subject)
  if (subject === undefined || record === undefined) return {by: 'none', record: undefined, accepts: () => false}
  const digests = new Set(record.settings.map(({digest}) => digest))
  return {by: subject.kind, record, accepts: (digest) => digests.has(digest)}
}

const recordAbove = (dataDirectory: string, root: string): TrustRecord | undefined => {
  for (let folder = root; ; folder = dirname(folder)) {
    const record = readRecord(dataDirectory, {kind: 'under', path: folder})
    if (record !== undefined || folder === dirname(folder)) return record
  }
}

/** Whom a record for a checkout may be about, the closest first. */
const subjectsOf = (root: string): TrustSubject[] => {
  const git = findGitPlace(root)
  const own: TrustSubject = {kind: 'root', path: root}
  return git === undefined ? [own] : [own, {kind: 'git', path: git.commonDirectory, subfolder: git.subfolder}]
}

/**
 * Records that the user trusts a checkout with these settings and no others. In a repository the record is about all its
 * worktrees, unless one with a record of its own differs.
 * @throws JpError `disk_full`, `file_unwritable`.
 */
export const recordTrust = (
  place: Omit<TrustPlace, 'env'>,
  settings: readonly TrustedSetting[],
  nowMs: number,
): TrustRecord => {
  const [own = {kind: 'root', path: place.root} as const, git] = subjectsOf(place.root)
  const linked = findGitPlace(place.root)?.isLinked === true
  const taken = git !== undefined && linked && readRecord(place.dataDirectory, git) !== undefined
  return writeRecord(place.dataDirectory, git === undefined || taken ? own : git, settings, nowMs)
}

/** Records that the user trusts every checkout below a folder, whatever its settings. */
export const recordTrustUnder = (dataDirectory: string, folder: string, nowMs: number): TrustRecord =>
  writeRecord(dataDirectory, {kind: 'under', path: folder}, [], nowMs)

const writeRecord = (
  dataDirectory: string,
  subject: TrustSubject,
  settings: readonly TrustedSetting[],
  nowMs: number,
): TrustRecord => {
  const hash = hashOf(settings.map(({digest}) => digest).sort())
  const record = {subject, trusted_at: new Date(nowMs).toISOString(), hash, settings}
  const file = recordFile(dataDirectory, subject)
  makeDirectory(dirname(file), 'user')
  writeAtomic(file, `${JSON.stringify(record, undefined, 2)}\n`, 'user')
  return record
}

/**
 * Remembers that the user did not want a checkout's settings, so that the same ones are not asked about again.
 * @param digests those that were asked about.
 * @throws JpError `disk_full`, `file_unwritable`.
 */
export const recordRefusal = (place: Omit<TrustPlace, 'env'>, digests: readonly string[]): void => {
  const file = refusalFile(place)
  makeDirectory(dirname(file), 'user')
  writeAtomic(
    file,
    `${JSON.stringify({root: place.root, refused: hashOf(digests.toSorted())}, undefined, 2)}\n`,
    'user',
  )
}

/** Whether the user refused exactly these settings before. */
export const isRefused = (place: Omit<TrustPlace, 'env'>, digests: readonly string[]): boolean => {
  try {
    const record: unknown = JSON.parse(readTextIfPresent(refusalFile(place)) ?? 'null')
    return (
      typeof record === 'object' &&
      record !== null &&
      'refused' in record &&
      record.refused === hashOf(digests.toSorted())
    )
  } catch {
    return false
  }
}

const refusalFile = ({dataDirectory, root}: Omit<TrustPlace, 'env'>): string =>
  join(dataDirectory, 'trust', 'refused', `${hashOf([root]).slice(0, 16)}.json`)

/** Removes the records about a checkout, or about a folder; gives what was removed. */
export const removeTrust = (dataDirectory: string, path: string): TrustSubject[] =>
  [...subjectsOf(path), {kind: 'under', path} as const].filter((subject) => {
    const file = recordFile(dataDirectory, subject)
    try {
      unlinkSync(file)
      return true
    } catch (error) {
      if (isMissing(error)) return false
      throw writeFailure(file, error)
    }
  })

const hashOf = (parts: readonly string[]): string => sha256OfText(parts.join('\n'))

const recordFile = (dataDirectory: string, subject: TrustSubject): string => {
  const parts = [subject.kind, subject.path, ...(subject.kind === 'git' ? [subject.subfolder] : [])]
  return join(dataDirectory, 'trust', `${hashOf(parts).slice(0, 16)}.json`)
}

const readRecord = (dataDirectory: string, subject: TrustSubject): TrustRecord | undefined => {
  try {
    const text = readTextIfPresent(recordFile(dataDirectory, subject))
    const record: unknown = text === undefined ? undefined : JSON.parse(text)
    return isRecord(record) && sameSubject(record.subject, subject) ? record : undefined
  } catch {
    return undefined
  }
}

const isRecord = (value: unknown): value is TrustRecord =>
  typeof value === 'object' &&
  value !== null &&
  'subject' in value &&
  typeof value.subject === 'object' &&
  value.subject !== null &&
  'settings' in value &&
  Array.isArray(value.settings) &&
  value.settings.every((setting: unknown) => typeof (setting as Partial<TrustedSetting> | null)?.digest === 'string')

/** The file's name is a short hash: what it says of itself must agree. */
const sameSubject = (left: TrustSubject, right: TrustSubject): boolean =>
  left.kind === right.kind &&
  left.path === right.path &&
  (left.kind === 'git' ? left.subfolder : '') === (right.kind === 'git' ? right.subfolder : '')
