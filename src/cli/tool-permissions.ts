import {JpError} from '../errors/jp-error.js'
import {rfc3339} from '../platform/clock.js'
import {openPermissionRules, type PermissionRule, type PermissionRules} from '../turn/tools/permission-rules.js'
import type {Invocation} from './invocation.js'

/** The permissions that were given for ever in the workspace of a user-local store (FR-28). */
export const permissionsOf = (silo: string | undefined, {environment, clock}: Invocation): PermissionRules => {
  if (silo === undefined) throw new JpError('session_required', 'This workspace has no user-local storage.')
  return openPermissionRules(silo, () => ({pid: environment.pid, acquired_at: rfc3339(clock.nowMs())}))
}

/** What a permission covers, in words. */
export const coverOf = ({words, line}: PermissionRule): string => {
  if (words !== undefined)
    return words.map((word) => (/^[\w./:=@%+,-]+$/.test(word) ? word : JSON.stringify(word))).join(' ')
  return line === undefined ? 'every call' : JSON.stringify(line)
}
