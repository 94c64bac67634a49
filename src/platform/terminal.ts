import {closeSync, constants, fstatSync, openSync} from 'node:fs'
import type {ReadStream, WriteStream} from 'node:tty'
import {builtin} from './builtin.js'

/** The terminal itself, apart from stdin and stdout: where prompts are drawn and answered (W9). */
export type TerminalDevice = {
  readonly input: ReadStream
  readonly output: WriteStream
  close(): void
}

const devicePath = (platform: NodeJS.Platform): {read: string; write: string} =>
  platform === 'win32' ? {read: '\\\\.\\CONIN$', write: '\\\\.\\CONOUT$'} : {read: '/dev/tty', write: '/dev/tty'}

/** Linux gives 1 to memory devices: /dev/null, and others that are no terminal. */
const memoryDevices = 1

/**
 * True when the descriptor is a terminal. Node's own answer loads its network and stream modules, for 6 ms, so it is asked
 * only about a device that could be one.
 */
export const isTerminal = (fd: number): boolean => {
  try {
    const stat = fstatSync(fd)
    if (!stat.isCharacterDevice()) return false
    if (process.platform === 'linux' && stat.rdev >> 8 === memoryDevices) return false
  } catch {
    return false
  }
  return builtin('node:tty').isatty(fd)
}

/** True when a controlling terminal can be opened. Opens and closes it; reads nothing. */
export const hasControllingTerminal = (platform: NodeJS.Platform): boolean => {
  try {
    const noControl = constants.O_NOCTTY ?? 0
    closeSync(openSync(devicePath(platform).read, constants.O_RDWR | noControl))
    return true
  } catch {
    return false
  }
}

/** Opens the controlling terminal for a prompt. The caller closes it. */
export const openTerminal = async (platform: NodeJS.Platform): Promise<TerminalDevice> => {
  const tty = await import('node:tty')
  const path = devicePath(platform)
  const input = new tty.ReadStream(openSync(path.read, 'r+'))
  const output = new tty.WriteStream(openSync(path.write, 'r+'))
  return {
    input,
    output,
    close() {
      if (input.isRaw) input.setRawMode(false)
      input.destroy()
      output.destroy()
    },
  }
}

/** The terminal's descriptors, for a program that is to use it. The caller closes them. */
export const openTerminalDescriptors = (platform: NodeJS.Platform) => {
  const path = devicePath(platform)
  const inputFd = openSync(path.read, 'r+')
  const outputFd = openSync(path.write, 'r+')
  return {
    inputFd,
    outputFd,
    close(): void {
      closeSync(inputFd)
      closeSync(outputFd)
    },
  }
}
