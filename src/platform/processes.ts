import {readFileSync} from 'node:fs'
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

/** The fields of `/proc/<pid>/stat` behind the process name, counted from `state` = 0; undefined elsewhere. */
export const procStat = (pid: number | 'self'): readonly string[] | undefined => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined
  }
}
