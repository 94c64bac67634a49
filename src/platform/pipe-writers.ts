import {readdirSync, readFileSync, readlinkSync} from 'node:fs'
import {procStat} from './processes.js'

/** Who could still write into a pipe. */
export type PipeWriters = {
  /** This process holds a writing end itself: the pipe can't end while it waits. */
  readonly self: boolean
  /** A process that this one descends from: it may hold the end without ever writing. */
  readonly ancestors: boolean
  /** Anyone else: the left side of a pipeline. */
  readonly others: boolean
}

/**
 * Who holds a writing end of the pipe or FIFO behind a descriptor, as far as `/proc` shows it: processes of other users
 * and other containers do not appear. Undefined where there is no `/proc`, or when the descriptor is no pipe.
 */
export const findPipeWriters = (fd: number): PipeWriters | undefined => {
  const pipe = linkOf('self', String(fd))
  if (pipe === undefined || pipe.startsWith('socket:')) return undefined
  const lineage = ancestorsOf('self')
  const found = {self: holdsWriter('self', pipe), ancestors: false, others: false}
  for (const name of readdirSync('/proc')) {
    const pid = Number(name)
    if (!Number.isInteger(pid) || pid === lineage.self || !holdsWriter(name, pipe)) continue
    if (lineage.pids.has(pid)) found.ancestors = true
    else found.others = true
  }
  return found
}

/** How far the next read of a regular file stands behind its start; undefined where `/proc` does not tell. Unit: bytes. */
export const readPosition = (fd: number): number | undefined => {
  const position = /^pos:\s*(\d+)/m.exec(descriptorText('self', String(fd)))?.[1]
  return position === undefined ? undefined : Number(position)
}

const linkOf = (pid: string, fd: string): string | undefined => {
  try {
    return readlinkSync(`/proc/${pid}/fd/${fd}`)
  } catch {
    return undefined
  }
}

const descriptorText = (pid: string, fd: string): string => {
  try {
    return readFileSync(`/proc/${pid}/fdinfo/${fd}`, 'utf8')
  } catch {
    return ''
  }
}

const holdsWriter = (pid: string, pipe: string): boolean => {
  let descriptors: string[]
  try {
    descriptors = readdirSync(`/proc/${pid}/fd`)
  } catch {
    // Another user's process, or one that has just ended.
    return false
  }
  return descriptors.some((fd) => linkOf(pid, fd) === pipe && isWritable(descriptorText(pid, fd)))
}

/** The low two bits of the open flags: 0 is for reading only. */
const isWritable = (text: string): boolean => {
  const flags = /^flags:\s*([0-7]+)/m.exec(text)?.[1]
  return flags !== undefined && (Number.parseInt(flags, 8) & 3) !== 0
}

const ancestorsOf = (start: 'self'): {self: number; pids: ReadonlySet<number>} => {
  const pids = new Set<number>()
  const self = Number(readlinkSync(`/proc/${start}`))
  for (let pid = parentOf(self); pid > 0 && !pids.has(pid); pid = parentOf(pid)) pids.add(pid)
  return {self, pids}
}

const parentOf = (pid: number): number => Number(procStat(pid)?.[1] ?? 0)
