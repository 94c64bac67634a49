import {execFileSync, spawnSync} from 'node:child_process'
import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {launcher} from './jp.js'

/** One call of the operating system that a run makes on files below a folder. */
export type Call = {
  readonly name: string
  /** Which call of that name it is, counted from 1. */
  readonly number: number
  /** What strace shows of it. */
  readonly shown: string
}

/** What a run is given. */
export type FaultRun = {
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

/** The calls that change files, and the opens. */
const traced = [
  'openat',
  'write',
  'fsync',
  'rename',
  'mkdir',
  'unlink',
  'rmdir',
  'ftruncate',
  'fchmod',
  'utimensat',
  'utimes',
]

/** True when strace works here. */
export const canTrace = (): boolean => spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0

/** The calls of one run below these folders, in order. The run takes place. */
export const callsOf = (run: FaultRun, folders: readonly string[], scratch: string): readonly Call[] => {
  const log = join(scratch, 'strace.log')
  execFileSync(
    'strace',
    ['-y', '-s', '300', '-o', log, '-e', `trace=${traced.join(',')}`, process.execPath, launcher, ...run.args],
    {
      cwd: run.cwd,
      env: run.env,
      stdio: ['ignore', 'ignore', 'ignore'],
    },
  )
  const counts = new Map<string, number>()
  return readFileSync(log, 'utf8')
    .split('\n')
    .flatMap((line) => {
      const name = /^(\w+)\(/.exec(line)?.[1]
      if (name === undefined) return []
      const number = (counts.get(name) ?? 0) + 1
      counts.set(name, number)
      // A path that was given, or the file behind a descriptor; not the working directory that strace shows beside it.
      const isOurs = folders.some(
        (folder) => line.includes(`"${folder}`) || new RegExp(`^\\w+\\(\\d+<${folder}`).test(line),
      )
      return isOurs ? [{name, number, shown: line.slice(0, 300)}] : []
    })
}

/** Runs with one call failing. */
export const runWithFault = (
  run: FaultRun,
  call: Call,
  error: string,
): {code: number | null; signal: NodeJS.Signals | null; stderr: string; stdout: string} => {
  const inject = `inject=${call.name}:error=${error}:when=${call.number}`
  const result = spawnSync(
    'strace',
    ['-o', '/dev/null', '-e', `trace=${call.name}`, '-e', inject, process.execPath, launcher, ...run.args],
    {
      cwd: run.cwd,
      env: run.env,
      encoding: 'utf8',
      input: '',
      timeout: 110_000,
    },
  )
  return {code: result.status, signal: result.signal, stderr: result.stderr, stdout: result.stdout}
}
