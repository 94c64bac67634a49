import {isTerminal} from '../platform/terminal.js'
import {writeWhole} from '../platform/write-whole.js'
import type {TextStream} from './output.js'

/** Where a run says things. */
export type StandardStreams = {readonly stdout: TextStream; readonly stderr: TextStream}

/** What the streams stand on. */
export type StandardStreamDeps = {
  readonly onError: {readonly stdout: (error: Error) => void; readonly stderr: (error: Error) => void}
  /** False once something must be heard while a slow reader is waited for, such as Ctrl-C. */
  readonly mayBlock: () => boolean
}

/**
 * stdout and stderr of this process. Files and pipes are written at once, without Node's streams, whose modules take 6 ms
 * to load; a terminal, and a run that must stay able to hear something, get the streams.
 */
export const openStandardStreams = ({onError, mayBlock}: StandardStreamDeps): StandardStreams => ({
  stdout: open({fd: 1, stream: () => process.stdout, onError: onError.stdout, mayBlock}),
  stderr: open({fd: 2, stream: () => process.stderr, onError: onError.stderr, mayBlock}),
})

type OneStream = {
  readonly fd: number
  readonly stream: () => NodeJS.WriteStream
  readonly onError: (error: Error) => void
  readonly mayBlock: () => boolean
}

const open = ({fd, stream, onError, mayBlock}: OneStream): TextStream => {
  const openStream = (): NodeJS.WriteStream => stream().on('error', onError)
  if (process.platform === 'win32' || isTerminal(fd)) return openStream()
  let opened: NodeJS.WriteStream | undefined
  return {
    write(text) {
      // What a stream still holds comes first: once there is one, it stays.
      if (opened !== undefined || !mayBlock()) return (opened ??= openStream()).write(text)
      try {
        writeWhole(fd, text)
      } catch (error) {
        onError(error instanceof Error ? error : new Error(String(error)))
      }
      return true
    },
    once: (event, listener) => (opened ??= openStream()).once(event, listener),
  }
}
