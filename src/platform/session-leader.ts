import {readFileSync} from 'node:fs'
import {procStat} from './processes.js'

/** The leader of this process's terminal session. */
export type SessionLeader = {
  readonly pid: number
  /** When it started, as the platform counts: tells a reused pid from the old one. Undefined where that is not known. */
  readonly started: string | undefined
}

/**
 * The session leader: `getsid(0)` read from `/proc` on Linux, from `ps` on other Unix systems (the nearest ancestor that
 * `ps` marks as a leader); undefined where neither tells.
 */
export const findSessionLeader = async (platform: NodeJS.Platform): Promise<SessionLeader | undefined> => {
  if (platform === 'win32') return undefined
  const stat = procStat('self')
  if (stat !== undefined) {
    const pid = Number(stat[3])
    return Number.isInteger(pid) && pid > 0 ? {pid, started: startTicks(pid)} : undefined
  }
  return leaderFromPs()
}

/** When a process started, in the kernel's ticks since boot; undefined where `/proc` does not tell. */
export const startTicks = (pid: number): string | undefined => {
  const ticks = procStat(pid)?.[19]
  return ticks === undefined ? undefined : `${bootId()}:${ticks}`
}

const bootId = (): string => {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return ''
  }
}

const leaderFromPs = async (): Promise<SessionLeader | undefined> => {
  const {spawnSync} = await import('node:child_process')
  for (let pid = process.pid; pid > 1; ) {
    const row = spawnSync('/bin/ps', ['-o', 'ppid=,stat=,lstart=', '-p', String(pid)], {encoding: 'utf8'}).stdout ?? ''
    const [, parent, state, started] = /^\s*(\d+)\s+(\S+)\s+(.*?)\s*$/.exec(row) ?? []
    if (state === undefined) return undefined
    if (state.includes('s')) return {pid, started}
    pid = Number(parent)
  }
  return undefined
}
