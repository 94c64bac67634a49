import {basename, dirname, join} from 'node:path'

let made = 0

/** A name beside this path that every reader passes over, and that is swept when this process is gone. */
export const temporaryOf = (path: string): string =>
  join(dirname(path), `.${basename(path)}.${process.pid}-${made++}.tmp`)

/** The process that a temporary name belongs to; undefined for any other name. */
export const writerOf = (name: string): number | undefined => {
  const pid = /^\..+\.(\d+)-\d+\.tmp$/.exec(name)?.[1]
  return pid === undefined ? undefined : Number(pid)
}
