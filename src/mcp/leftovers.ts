import {readdirSync, rmSync} from 'node:fs'
import {join} from 'node:path'
import {endGroup} from '../platform/child-process.js'
import {makeDirectory, readTextIfPresent, writeAtomic} from '../platform/files.js'
import {membersOf, openFilesOf, procStat} from '../platform/processes.js'
import {startTicks} from '../platform/session-leader.js'

/**
 * A server that outlived the jp that started it: one that ignores the end of its stdin, after `SIGKILL` of jp. `pid` is that
 * of its group; a wrapper that led it may be gone.
 */
export type Leftover = {readonly name: string; readonly pid: number}

/** A record of the servers that run, so that one that was left over can be told of (FR-29). */
export interface ServerRecord {
  /** Notes a server; gives what takes the note back once it is gone. */
  note(name: string, pid: number): () => void
  /** The servers whose jp is gone. Forgets those that are gone too. */
  leftovers(): readonly Leftover[]
  /** Ends them, each with its process group; gives those that were ended. */
  endLeftovers(): Promise<readonly Leftover[]>
}

/** A process as a note keeps it: `started` tells a pid from a later one with the same number. */
type NotedProcess = {readonly pid: number; readonly started: string}

/**
 * A note on disk: a server, and the jp that started it. `streams` are the ends of its stdin, stdout and stderr as the kernel
 * names them: a group whose leader is gone is that server's as long as one of it holds one. Its number alone proves
 * nothing, for a daemon is just that, a group without its leader.
 */
type Note = NotedProcess & {readonly name: string; readonly host: NotedProcess; readonly streams?: readonly string[]}

/** How long a server that was left over may take to end. It has ignored the end of its stdin already. Unit: milliseconds. */
const graceMs = 500

/**
 * Creates the record in a folder below the user's state (0700, made when the first server is noted). Where the platform
 * does not tell when a process started, nothing is noted: a pid alone may be another program's.
 */
export const createServerRecord = (folder: string, hostPid: number): ServerRecord => ({
  note(name, pid) {
    const [started, hostStarted] = [startTicks(pid), startTicks(hostPid)]
    if (started === undefined || hostStarted === undefined) return () => undefined
    const host = {pid: hostPid, started: hostStarted}
    const path = join(folder, `${pid}.json`)
    makeDirectory(folder, 'user')
    const streams = openFilesOf(pid).filter((file) => /^(?:socket|pipe):/.test(file))
    writeAtomic(path, `${JSON.stringify({name, pid, started, host, streams} satisfies Note)}\n`, 'user')
    return () => rmSync(path, {force: true})
  },
  leftovers: () => leftoversIn(folder),
  async endLeftovers() {
    const left = leftoversIn(folder)
    await Promise.all(left.map(({pid}) => endGroup(pid, graceMs)))
    for (const {pid} of left) rmSync(join(folder, `${pid}.json`), {force: true})
    return left
  },
})

const leftoversIn = (folder: string): Leftover[] =>
  filesIn(folder).flatMap((path) => {
    const note = readNote(path)
    // A jp that runs looks after its own.
    if (note !== undefined && lives(note.host)) return []
    if (note !== undefined && (lives(note) || hasSurvivor(note))) return [{name: note.name, pid: note.pid}]
    rmSync(path, {force: true})
    return []
  })

/** Whether a child of a server's wrapper runs on without it. */
const hasSurvivor = ({pid, streams = []}: Note): boolean =>
  membersOf(pid).some((member) => openFilesOf(member).some((file) => streams.includes(file)))

/** One that has ended and that nobody has waited for does not live. */
const lives = ({pid, started}: NotedProcess): boolean => startTicks(pid) === started && procStat(pid)?.[0] !== 'Z'

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
  isNotedProcess(note) &&
  'name' in note &&
  typeof note.name === 'string' &&
  'host' in note &&
  isNotedProcess(note.host) &&
  (!('streams' in note) || Array.isArray(note.streams))

const isNotedProcess = (value: unknown): value is NotedProcess =>
  typeof value === 'object' &&
  value !== null &&
  'pid' in value &&
  Number.isInteger(value.pid) &&
  'started' in value &&
  typeof value.started === 'string'
