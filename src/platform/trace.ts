import {constants, openSync, unlinkSync, writeSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {type Clock, rfc3339} from './clock.js'
import {writeFailure} from './file-errors.js'
import {listNames, makeDirectory} from './files.js'
import type {Redact} from './redact.js'

/** The levels of a trace, gravest first. */
export const traceLevels = ['error', 'warn', 'info', 'debug', 'trace'] as const
export type TraceLevel = (typeof traceLevels)[number]

/** Where jp says what it does, apart from its output (Q1). */
export interface Trace {
  /** One entry. `target` names the part that speaks: `plugin::stderr`, `provider`. */
  write(level: TraceLevel, target: string, message: string, fields?: Readonly<Record<string, unknown>>): void
}

/** Writes nothing. */
export const silentTrace: Trace = {write: () => undefined}

/** What a trace stands on. */
export type TraceOptions = {
  /** A file, appended to and private to the user; or an open descriptor (stderr). */
  readonly to: string | number
  /** The least grave level that is written. */
  readonly level: TraceLevel
  readonly clock: Clock
  readonly redact: Redact
}

/**
 * Creates a trace of JSON lines, written one by one, so that the last line before a crash is there.
 * @throws JpError `file_unwritable`, `disk_full` when the file can't be opened.
 */
export const createTrace = ({to, level, clock, redact}: TraceOptions): Trace => {
  const fd = typeof to === 'number' ? to : openTrace(to)
  const least = traceLevels.indexOf(level)
  return {
    write(entryLevel, target, message, fields) {
      if (traceLevels.indexOf(entryLevel) > least) return
      const entry = {time: rfc3339(clock.nowMs()), level: entryLevel, target, message, ...fields}
      try {
        writeSync(fd, `${redact(JSON.stringify(entry))}\n`)
      } catch {
        // A trace that can't be written must not end the work that it tells of.
      }
    },
  }
}

const openTrace = (path: string): number => {
  try {
    makeDirectory(dirname(path), 'user')
    const flags =
      constants.O_WRONLY |
      constants.O_CREAT |
      constants.O_APPEND |
      (constants.O_NOFOLLOW ?? 0) |
      (constants.O_NONBLOCK ?? 0)
    return openSync(path, flags, 0o600)
  } catch (error) {
    throw writeFailure(path, error)
  }
}

/** How many trace files are kept in the log folder. */
const keptTraces = 30

/** The file of this run in the log folder; the oldest files beyond those kept are removed. */
export const nextTraceFile = (stateDirectory: string, nowMs: number, pid: number): string => {
  const folder = join(stateDirectory, 'log')
  const old = listNames(folder).filter((name) => name.endsWith('.jsonl'))
  for (const name of old.slice(0, Math.max(0, old.length - keptTraces + 1))) {
    try {
      unlinkSync(join(folder, name))
    } catch {
      // Another run removed it first.
    }
  }
  return join(folder, `${rfc3339(nowMs).replaceAll(/[:.]/g, '-')}-${pid}.jsonl`)
}
