import type {Readable} from 'node:stream'
import {monotonicMs} from '../../platform/clock.js'
import {createLineFramer} from '../../platform/json-lines.js'
import type {Trace} from '../../platform/trace.js'

/** What a plugin writes to stderr: it goes to the trace, never to the terminal (P21). */
export interface StderrLog {
  /** The last lines, for the message about a plugin that died. */
  lastLines(): readonly string[]
  /** Settles when the stream has ended. */
  readonly ended: Promise<void>
}

/** What one second of stderr may hold; the rest is cut, with a note (P19). Unit: bytes. */
const maxBytesPerSecond = 1024 * 1024
const maxLineBytes = 64 * 1024
const keptLines = 5

/** Follows the stderr of a plugin in bounded memory. */
export const followStderr = (stderr: Readable, trace: Trace): StderrLog => {
  const last: string[] = []
  const keep = (line: string): void => {
    last.push(line)
    if (last.length > keptLines) last.shift()
    trace.write('trace', 'plugin::stderr', line)
  }
  const framer = createLineFramer(
    {
      line: keep,
      tooLong: (limit) => trace.write('warn', 'plugin::stderr', `a line over ${limit} bytes was left out`),
      notUtf8: (bytes) => keep(bytes.toString('latin1')),
    },
    maxLineBytes,
  )
  const meter = createMeter((cutBytes) =>
    trace.write('warn', 'plugin::stderr', `${cutBytes} bytes were cut: more than 1 MiB in one second`),
  )
  stderr.on('data', (bytes: Buffer) => {
    const passed = meter.pass(bytes)
    if (passed.length > 0) framer.push(passed)
  })
  stderr.on('error', () => undefined)
  const ended = new Promise<void>((resolve) => {
    stderr.once('close', () => {
      framer.end()
      meter.flush()
      resolve()
    })
  })
  return {lastLines: () => last, ended}
}

/** Lets a bounded number of bytes of each second pass, and tells once a second what it cut. */
const createMeter = (onCut: (bytes: number) => void) => {
  let second = monotonicMs()
  let passed = 0
  let cut = 0
  const flush = (): void => {
    if (cut > 0) onCut(cut)
    passed = 0
    cut = 0
  }
  return {
    flush,
    pass(bytes: Buffer): Buffer {
      const now = monotonicMs()
      if (now - second >= 1000) {
        second = now
        flush()
      }
      const allowed = bytes.subarray(0, Math.max(0, maxBytesPerSecond - passed))
      passed += allowed.length
      cut += bytes.length - allowed.length
      return allowed
    },
  }
}
