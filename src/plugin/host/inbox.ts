import type {Readable} from 'node:stream'
import {createLineFramer} from '../../platform/json-lines.js'

/** One line of a plugin, or what is wrong with it. */
export type InboxLine =
  | {readonly kind: 'line'; readonly text: string}
  | {readonly kind: 'broken'; readonly reason: string; readonly shown: string}

/** The longest line of a plugin (P19). Unit: bytes. */
const maxLineBytes = 16 * 1024 * 1024

/**
 * The lines of a plugin's stdout, one after the other: nothing is read ahead beyond one chunk while a line is being
 * answered, so a plugin that floods waits for itself.
 */
export async function* readLines(stdout: Readable): AsyncGenerator<InboxLine> {
  let lines: InboxLine[] = []
  const framer = createLineFramer(
    {
      line: (text) => lines.push({kind: 'line', text}),
      tooLong: () => lines.push({kind: 'broken', reason: 'it is longer than 16 MiB', shown: ''}),
      notUtf8: (bytes) =>
        lines.push({kind: 'broken', reason: 'it is not UTF-8', shown: bytes.subarray(0, 120).toString('latin1')}),
    },
    maxLineBytes,
  )
  for await (const chunk of stdout) {
    framer.push(chunk as Buffer)
    yield* lines
    lines = []
  }
  framer.end()
  yield* lines
}
