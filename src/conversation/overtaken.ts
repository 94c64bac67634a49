import {join} from 'node:path'
import {hasCode} from '../errors/jp-error.js'
import {readBytes} from '../platform/files.js'
import type {StreamBytes} from './conversation.js'
import {elementSlices} from './events-text.js'
import type {Located} from './located.js'
import {keepFile} from './trash.js'

/**
 * The newer copy counts (facts 2.7), and git makes the oldest state the newest: a new worktree, another branch or a pull
 * writes what was once committed. The next write would put it over the user-local stream. What that one holds and the
 * newer one lacks is kept in the trash first: an acknowledged event is not lost (W18).
 * @param winner the stream that counts.
 * @returns the file that keeps the other one; undefined when nothing would be lost.
 * @throws JpError `disk_full`, `file_unwritable`, `file_unreadable`.
 */
export const keepOvertaken = (located: Located, winner: StreamBytes): string | undefined => {
  const own = located.copies.find(({copy}) => copy.root.place === 'silo')
  if (own === undefined || own === located.units.stream || own.stamps['events.json'] === undefined) return undefined
  const path = join(own.copy.directory, 'events.json')
  const bytes = readBytes(path, {noFollow: true})
  if (continues(winner.events, bytes) || holdsAll(winner, {events: bytes, path})) return undefined
  keepFile(own.copy, 'base_config.json')
  return keepFile(own.copy, 'events.json')
}

/** As jp itself goes on with a stream: the same bytes up to its end, then more. */
const continues = (longer: Buffer, shorter: Buffer): boolean => {
  const end = shorter.lastIndexOf('}') + 1
  const isWhole = /^\s*\[?\s*\]\s*$/.test(shorter.toString('utf8', end))
  return isWhole && longer.subarray(0, end).equals(shorter.subarray(0, end))
}

/** True when each element of a stream stands in another one too. One that is damaged may hold anything. */
const holdsAll = (winner: StreamBytes, other: Pick<StreamBytes, 'events' | 'path'>): boolean => {
  try {
    const there = new Set(elementSlices(winner.events, winner.path).map(String))
    return elementSlices(other.events, other.path).every((element) => there.has(String(element)))
  } catch (error) {
    if (!hasCode(error, 'conversation_corrupt')) throw error
    return false
  }
}
