import {mkdirSync, readdirSync, rmSync} from 'node:fs'
import {join} from 'node:path'
import {readTextIfPresent, writeAtomic} from '../platform/files.js'
import {isProcessAlive} from '../platform/processes.js'
import {startTicks} from '../platform/session-leader.js'

/** A server that outlived the jp that started it: one that ignores the end of its stdin, after `SIGKILL` of jp. */
export type Leftover = {readonly name: string; readonly pid: number}

/** A record of the servers that run, so that one that was left over can be told of (FR-29). */
export interface ServerRecord {
  /** Notes a server; gives what takes the note back once it is gone. */
  note(name: string, pid: number): () => void
  /** The servers whose jp is gone. Forgets those that are gone too. */
  leftovers(): readonly Leftover[]
}

/** A note on disk. `started` tells a pid from a later one with the same number. */
type Note = {readonly name: string; readonly pid: number; readonly started: string; readonly host: number}

/**
 * Creates the record in a folder below the user's state (0700, made when the first server is noted). Where the platform
 * does not tell when a process started, nothing is noted: a pid alone may be another program's.
 */
export const createServerRecord = (folder: string, hostPid: number): ServerRecord => ({
  note(name, pid) {
    const started = startTicks(pid)
    if (started === undefined) return () => undefined
    const path = join(folder, `${pid}.json`)
    mkdirSync(folder, {recursive: true, mode: 0o700})
    writeAtomic(path, `${JSON.stringify({name, pid, started, host: hostPid} satisfies Note)}\n`, 'user')
    return () => rmSync(path, {force: true})
  },
  leftovers() {
    return filesIn(folder).flatMap((path) => {
      const note = readNote(path)
      const lives = note !== undefined && startTicks(note.pid) === note.started
      if (!lives) rmSync(path, {force: true})
      return lives && !isProcessAlive(note.host) ? [{name: note.name, pid: note.pid}] : []
    })
  },
})

const filesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder)
      .filter((name) => /^\d+\.json$/.test(name))
      .map((name) => join(folder, name))
  } catch {
    return []
  }
}

const readNote = (path: string): Note | undefined => {
  try {
    const note: unknown = JSON.parse(readTextIfPresent(path, {maxBytes: 4096}) ?? '')
    return isNote(note) ? note : undefined
  } catch {
    return undefined
  }
}

const isNote = (note: unknown): note is Note =>
  typeof note === 'object' &&
  note !== null &&
  'name' in note &&
  typeof note.name === 'string' &&
  'pid' in note &&
  Number.isInteger(note.pid) &&
  'started' in note &&
  typeof note.started === 'string' &&
  'host' in note &&
  Number.isInteger(note.host)
