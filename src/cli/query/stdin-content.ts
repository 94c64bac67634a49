import {fstatSync, readSync, statSync} from 'node:fs'
import type {Readable} from 'node:stream'
import {JpError} from '../../errors/jp-error.js'
import {monotonicMs} from '../../platform/clock.js'
import {reasonOf} from '../../platform/file-errors.js'
import {findPipeWriters, readPosition} from '../../platform/pipe-writers.js'
import {isTerminal} from '../../platform/terminal.js'

/** What reading stdin depends on. */
export type StdinQuestion = {
  /** The message is already there: what stdin brings only goes in front of it. */
  readonly hasMessage: boolean
  /** Tells the person what is waited for, or that it was given up. */
  note(text: string): void
}

/** The longest message that is taken from stdin. Unit: bytes. */
export const maxStdinBytes = 10 * 1024 * 1024

/** How long a pipe that only a process above us could write may stay silent. Unit: milliseconds. */
const patienceMs = 3000
/** How long what a pipeline writes at once may take to arrive, before anybody is looked for. Unit: milliseconds. */
const promptlyMs = 60
const lookEveryMs = 250
const tellAfterMs = 1500

/**
 * The content on stdin (Q1, FR-55, FR-56; decision 0030), or undefined when there is none: stdin is a terminal, or a
 * message is there already and nobody is going to write.
 * @throws JpError `usage` when it is too large, `file_unreadable`.
 */
export const readStdinContent = async (question: StdinQuestion): Promise<Uint8Array | undefined> => {
  if (isTerminal(0)) return undefined
  const kind = kindOfStdin()
  // A file that somebody else has begun to read is the input of a loop around jp, not content for it.
  if (kind === 'file' && question.hasMessage && (readPosition(0) ?? 0) > 0) return undefined
  if (kind === 'nothing') return question.hasMessage ? undefined : new Uint8Array()
  return kind === 'file' ? readFileContent(question) : gather(process.stdin, kind, question)
}

/** A file is read as it is: a stream would bring nothing but modules that take 4 ms to load. */
const readFileContent = (question: StdinQuestion): Uint8Array | undefined => {
  const chunks: Buffer[] = []
  for (let size = 0; ; ) {
    const chunk = Buffer.alloc(64 * 1024)
    const got = readOnce(chunk)
    if (got === 0) return size === 0 && question.hasMessage ? undefined : Buffer.concat(chunks)
    chunks.push(chunk.subarray(0, got))
    size += got
    if (size > maxStdinBytes) throw tooLarge()
  }
}

const readOnce = (into: Buffer): number => {
  try {
    return readSync(0, into)
  } catch (error) {
    throw unreadable(error)
  }
}

type StdinKind = 'file' | 'pipe' | 'socket' | 'nothing' | 'other'

const kindOfStdin = (): StdinKind => {
  const stat = fstatSync(0)
  if (stat.isFile()) return 'file'
  if (stat.isFIFO()) return 'pipe'
  if (stat.isSocket()) return 'socket'
  return stat.isCharacterDevice() && stat.rdev === nullDevice() ? 'nothing' : 'other'
}

const nullDevice = (): number | undefined => {
  try {
    return statSync('/dev/null').rdev
  } catch {
    return undefined
  }
}

/** Reads to the end; or, when nothing comes, until nobody is left to wait for. */
const gather = (stdin: Readable, kind: StdinKind, question: StdinQuestion): Promise<Uint8Array | undefined> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const watch = watchSilence(kind, question, () => finish(() => resolve(whole())))
    const whole = (): Buffer | undefined => (size === 0 && question.hasMessage ? undefined : Buffer.concat(chunks))
    const finish = (settle: () => void): void => {
      watch.stop()
      stdin.off('data', take).off('end', end).off('error', fail)
      stdin.destroy()
      settle()
    }
    const take = (chunk: Buffer): void => {
      chunks.push(chunk)
      size += chunk.length
      if (size > maxStdinBytes) finish(() => reject(tooLarge()))
      else watch.heard()
    }
    const end = (): void => finish(() => resolve(whole()))
    const fail = (error: Error): void => finish(() => reject(unreadable(error)))
    stdin.on('data', take).on('end', end).on('error', fail)
  })

/**
 * Decides when to stop waiting on a pipe that stays silent. Once something has come it is read to its end, unless jp
 * itself holds the writing end: then there is no end, and what is there is all.
 */
const watchSilence = (kind: StdinKind, question: StdinQuestion, giveUp: () => void) => {
  if (kind !== 'pipe' && kind !== 'socket') return {heard: () => undefined, stop: () => undefined}
  const started = monotonicMs()
  let hoped = started
  let heard = false
  let told = false
  let timer: NodeJS.Timeout
  const look = (): void => {
    const writers = kind === 'pipe' ? findPipeWriters(0) : undefined
    if (writers?.self === true) return giveUp()
    const now = monotonicMs()
    if (writers?.others === true || heard || !question.hasMessage) hoped = now
    if (now - hoped > patienceMs) {
      question.note(
        `Nothing came on stdin within ${patienceMs / 1000} s; going on without it. </dev/null skips the wait.`,
      )
      return giveUp()
    }
    if (!told && !heard && now - started > tellAfterMs) {
      told = true
      question.note('Waiting for the content on stdin …')
    }
    timer = setTimeout(look, lookEveryMs)
  }
  timer = setTimeout(look, promptlyMs)
  return {
    heard() {
      heard = true
    },
    stop: () => clearTimeout(timer),
  }
}

const unreadable = (error: unknown): JpError =>
  new JpError('file_unreadable', `Can't read the message on stdin: ${reasonOf(error)}.`, {cause: error})

const tooLarge = (): JpError =>
  new JpError('usage', `The message on stdin is larger than ${maxStdinBytes / 1024 / 1024} MB.`, {
    hint: 'Attach a file instead, and say what to look for in it: jp query --attach FILE "…"',
  })
