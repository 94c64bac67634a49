import type {LastRoot} from '../../conversation/local-metadata.js'
import {JpError} from '../../errors/jp-error.js'
import {canonicalIfPresent} from '../../platform/contained-path.js'
import type {ExpectedLastRoot} from '../../protocol/plugin-fields.js'
import type {WorkspaceScope} from '../manifest.js'

/** What the guard of S27 decides by. */
export type LastRootCase = {
  readonly scope: WorkspaceScope
  /** The checkout that the turn would run in: canonical. */
  readonly root: string
  /** The record as it stands, read under the conversation lock. */
  readonly record: LastRoot | undefined
  /** What the frontend showed its user; undefined when it sent nothing. */
  readonly expected: ExpectedLastRoot | undefined
}

/**
 * Refuses a turn that would continue in another tree than the one that its user was shown (S27). Called under the
 * conversation lock, before a root is recorded or a tool starts.
 * @throws JpError `last_root_mismatch` with the current record.
 */
export const guardLastRoot = ({scope, root, record, expected}: LastRootCase): void => {
  if (expected !== undefined && !isSameRecord(record, expected)) {
    throw mismatch(
      record === undefined
        ? 'No turn of this conversation has recorded where it ran.'
        : `The conversation last ran in ${record.path}${at(record)}, not where the request says.`,
      record,
    )
  }
  if (scope === 'multi' || record === undefined) return
  if (record.live && canonicalOr(record.path) !== root) {
    throw mismatch(`The conversation last ran in ${record.path}; this is ${root}. Continue it there.`, record)
  }
  if (!record.live && expected === undefined) {
    throw mismatch(
      `The conversation last ran in ${record.path}, which is gone. To run here all the same, send it as expected_last_root.`,
      record,
    )
  }
}

/** The whole record, as far as it was sent: a later turn in the same tree shows in `last_used`. `live` is ignored. */
const isSameRecord = (record: LastRoot | undefined, expected: ExpectedLastRoot): boolean => {
  if (record === undefined || canonicalOr(record.path) !== canonicalOr(expected.path)) return false
  return expected.last_used === undefined || isSameInstant(record.last_used, expected.last_used)
}

const isSameInstant = (left: string | undefined, right: string): boolean =>
  left === right || (left !== undefined && Date.parse(left) === Date.parse(right))

/** A path that no longer exists is compared as text. */
const canonicalOr = (path: string): string => canonicalIfPresent(path) ?? path

const at = (record: LastRoot): string => (record.last_used === undefined ? '' : ` at ${record.last_used}`)

const mismatch = (message: string, record: LastRoot | undefined): JpError =>
  new JpError('last_root_mismatch', message, {details: {last_root: record ?? null}})
