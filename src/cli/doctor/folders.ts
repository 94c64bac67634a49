import {accessSync, chmodSync, constants, lstatSync} from 'node:fs'
import {join} from 'node:path'
import type {UserDirectories} from '../../platform/directories.js'
import {writeFailure} from '../../platform/file-errors.js'
import type {Problem} from '../../platform/problem.js'

/** The folders of jp: can they be written, and are the private ones private (W33)? Creates none. */
export const diagnoseFolders = (directories: UserDirectories, silo: string | undefined): readonly Problem[] => {
  const {data, cache, state} = directories
  return [
    ...[data, cache, state].flatMap(unwritable),
    ...[silo, join(data, 'serve'), join(data, 'sessions')].flatMap((path) => (path === undefined ? [] : open(path))),
  ]
}

const unwritable = (path: string): readonly Problem[] => {
  const stat = lstatSync(path, {throwIfNoEntry: false})
  if (stat === undefined) return []
  try {
    accessSync(path, constants.W_OK | constants.X_OK)
    return []
  } catch {
    const reason = 'jp can not write here'
    return [{code: 'folder_unwritable', gravity: 'fault', path, reason, advice: `see who owns it: ls -ld ${path}`}]
  }
}

/** What only the user may read, whatever the umask was when another program made it. */
const open = (path: string): readonly Problem[] => {
  const stat = lstatSync(path, {throwIfNoEntry: false})
  if (process.platform === 'win32' || stat?.isDirectory() !== true || (stat.mode & 0o077) === 0) return []
  return [
    {
      code: 'folder_open',
      gravity: 'note',
      path,
      reason: 'other users of this machine can look into it',
      advice: "make it the user's alone (0700)",
      fix() {
        try {
          chmodSync(path, 0o700)
        } catch (error) {
          throw writeFailure(path, error)
        }
        return 'fixed'
      },
    },
  ]
}
