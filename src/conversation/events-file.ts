import {readChunks} from '../platform/file-chunks.js'
import {readBytes} from '../platform/files.js'
import type {StoredEvent} from './event.js'
import {checkEvents, parseEvents, streamEvents} from './events-text.js'

/** From this size on a stream is read piece by piece where its events are looked at one at a time. Unit: bytes. */
export const largeStreamBytes = 8 * 1024 * 1024

/**
 * How many elements a stream has. Checks each, in bounded memory.
 * @param size of the file, in bytes.
 * @throws JpError `conversation_corrupt`, and as `readBytes`.
 */
export const countEvents = (path: string, size: number): number => {
  if (size < largeStreamBytes) return checkEvents(readBytes(path, {noFollow: true}), path).length
  let count = 0
  for (const _ of streamEvents(readChunks(path), path)) count += 1
  return count
}

/**
 * Every event of a stream, from its first on at each call; one of usual size is proven whole before the first is given.
 * @param size of the file, in bytes.
 * @throws JpError `conversation_corrupt`, for a large stream when the damage is reached; and as `readBytes`.
 */
export const readEvents = (path: string, size: number): Iterable<StoredEvent> =>
  size < largeStreamBytes ? parseEvents(readBytes(path, {noFollow: true}), path) : streamEvents(readChunks(path), path)
