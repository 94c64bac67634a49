import type {Readable} from 'node:stream'
import {onSignal} from '../platform/signals.js'

/** stdin and stdout as the two ends of a protocol. */
export type ProtocolStdio = {
  readonly pipe: {readonly input: Readable; write(line: string): Promise<void>}
  /** Aborted when the run should end though stdin is open: the reader is gone, or a signal came. */
  readonly signal: AbortSignal
  /** From now on the process ends within this time, whatever still runs; children go with it. Unit: milliseconds. */
  endWithin(ms: number): void
}

/** The exit code after a signal (Q2). */
const interruptedCode = 130

/**
 * Takes stdin and stdout for a protocol. Whatever else writes to stdout from now on, jp or one of its libraries, goes to
 * stderr instead, to the last byte (FR-52).
 * @param ending aborted when the reader of stdout is gone.
 */
export const takeProtocolStdio = (ending: AbortSignal): ProtocolStdio => {
  const {stdin, stdout, stderr} = process
  const write = stdout.write.bind(stdout)
  stdout.write = stderr.write.bind(stderr)
  const controller = new AbortController()
  const end = (): void => controller.abort()
  ending.addEventListener('abort', end, {once: true})
  if (ending.aborted) end()
  // What is written here goes past the run's own streams, which would hear of it.
  stdout.on('error', end)
  stderr.on('error', () => undefined)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    onSignal(signal, () => {
      process.exitCode = interruptedCode
      end()
    })
  }
  return {
    pipe: {
      input: stdin,
      write: (line) => new Promise((resolve) => write(line, () => resolve())),
    },
    signal: controller.signal,
    endWithin(ms) {
      setTimeout(() => process.exit(), ms).unref()
    },
  }
}
