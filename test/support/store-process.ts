import {type ChildProcessWithoutNullStreams, spawn} from 'node:child_process'
import {join} from 'node:path'
import {createInterface} from 'node:readline'
import {repository} from './jp.js'

/** What a store in a process of its own is asked to do. */
export type WorkerRequest =
  | {
      readonly act: 'create'
      readonly title: string
      readonly local: boolean
      readonly content: string
      readonly nowMs: number
    }
  | {readonly act: 'append'; readonly id: string; readonly content: string}
  | {readonly act: 'title'; readonly id: string; readonly title: string | null}
  | {readonly act: 'local'; readonly id: string; readonly local: boolean}
  | {readonly act: 'archive'; readonly id: string; readonly archived: boolean; readonly nowMs: number}
  | {readonly act: 'remove'; readonly id: string}
  | {readonly act: 'hold'; readonly id: string}
  | {readonly act: 'use'; readonly session: string; readonly ids: readonly string[]}
  | {readonly act: 'load'}
  | {readonly act: 'view'}

/** What it answers. */
export type WorkerAnswer = {readonly value?: unknown; readonly code?: string; readonly message?: string}

/** A store in a process of its own. */
export interface StoreProcess {
  readonly child: ChildProcessWithoutNullStreams
  /** Undefined when the process died before it answered. */
  ask(request: WorkerRequest): Promise<WorkerAnswer | undefined>
  kill(signal?: NodeJS.Signals): Promise<void>
}

/** Starts one on a checkout. */
export const startStore = (root: string, silo: string): StoreProcess => {
  const child = spawn(
    process.execPath,
    [
      '--import',
      join(repository, 'test/support/typescript-imports.mjs'),
      join(import.meta.dirname, 'store-worker.ts'),
      root,
      silo,
    ],
    {stdio: 'pipe'},
  )
  const waiting: ((answer: WorkerAnswer | undefined) => void)[] = []
  const lines = createInterface({input: child.stdout})
  lines.on('line', (line) => waiting.shift()?.(JSON.parse(line) as WorkerAnswer))
  child.stderr.on('data', (bytes: Buffer) => process.stderr.write(bytes))
  child.stdin.on('error', () => undefined)
  const exited = new Promise<void>((resolve) => child.once('close', () => resolve()))
  void exited.then(() => {
    for (const settle of waiting.splice(0)) settle(undefined)
  })
  return {
    child,
    ask: (request) =>
      new Promise((settle) => {
        if (child.exitCode !== null || child.signalCode !== null) return settle(undefined)
        waiting.push(settle)
        child.stdin.write(`${JSON.stringify(request)}\n`)
      }),
    kill: (signal = 'SIGKILL') => {
      child.kill(signal)
      return exited
    },
  }
}
