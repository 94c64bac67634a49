import {readdirSync, readFileSync, readlinkSync} from 'node:fs'
import {errnoOf} from './file-errors.js'

/** True while a process with this id exists, also when it is another user's. */
export const isProcessAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return errnoOf(error) === 'EPERM'
  }
}

/** Asks a process to end. One that is gone already is no error. */
export const terminate = (pid: number): void => {
  try {
    process.kill(pid, 'SIGTERM')
  } catch (error) {
    if (errnoOf(error) !== 'ESRCH') throw error
  }
}

/** The processes of a group that run, whether its leader lives or not; none where there is no `/proc`. */
export const membersOf = (group: number): readonly number[] =>
  namesIn('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      const [state, , itsGroup] = procStat(pid) ?? []
      return itsGroup === String(group) && state !== 'Z'
    })

/** What a process holds open, as the kernel names it: `/a/file`, `pipe:[17]`, `socket:[42]`; none where nobody may know. */
export const openFilesOf = (pid: number): readonly string[] =>
  namesIn(`/proc/${pid}/fd`).flatMap((name) => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${name}`)]
    } catch {
      return []
    }
  })

const namesIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** The fields of `/proc/<pid>/stat` behind the process name, counted from `state` = 0; undefined elsewhere. */
export const procStat = (pid: number | 'self'): readonly string[] | undefined => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined
  }
}
