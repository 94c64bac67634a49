import {guardedSettings} from './guard.js'
import type {Stack} from './stack.js'
import {type ConfigObject, type ConfigValue, isTable, type KeyPath} from './value.js'

/**
 * Which guarded settings of a conversation's configuration are the user's own, by digest: those that were so before, and
 * those that the user's files, environment or command line gave. What a trusted checkout gives counts as long as it is
 * trusted, and no longer in any conversation.
 * @param before those that were the user's own until now.
 */
export const ownDigests = (
  stored: ConfigObject,
  {provenance, ignored, lent}: Pick<Stack, 'provenance' | 'ignored' | 'lent'>,
  before: ReadonlySet<string>,
): ReadonlySet<string> => {
  const refused = new Set(ignored.map(({digest}) => digest))
  const isUsers = (path: KeyPath): boolean => provenance.originsOf(path).some(({layer}) => !layer.fromCheckout)
  const isGivenByUser = (path: KeyPath, value: ConfigValue): boolean => {
    const leaves = leavesOf(value, path)
    const given = leaves.filter((leaf) => provenance.originsOf(leaf).length > 0)
    return given.length > 0 && given.every(isUsers)
  }
  return new Set(
    guardedSettings(stored, {})
      .filter(({digest}) => !refused.has(digest))
      .filter(({digest, path, value}) => before.has(digest) || (!lent.has(digest) && isGivenByUser(path, value)))
      .map(({digest}) => digest),
  )
}

/** The paths of what a table holds; defaults come from no layer. */
const leavesOf = (value: ConfigValue, path: KeyPath): readonly KeyPath[] =>
  isTable(value) ? Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, [...path, key])) : [path]
