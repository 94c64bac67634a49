import {join} from 'node:path'
import {JpError} from '../errors/jp-error.js'
import {readBytes, readText} from '../platform/files.js'
import {parseBaseConfig} from './conversation.js'
import type {Copy} from './conversation-roots.js'
import {countEvents} from './events-file.js'
import {parseMetadata} from './metadata.js'
import {type ManagedFile, stampOf} from './units.js'

/** What is wrong with the files of a copy. */
export type Damage = {
  /** What is wrong with the bytes of each file. */
  readonly damage: ReadonlyMap<ManagedFile, string>
  /** Why one of them could not be read: permissions, a failing disk, a special file. */
  readonly closed: string | undefined
}

/** Reads all files of a copy. Writes nothing. */
export const damageOf = (copy: Copy): Damage => {
  const damage = new Map<ManagedFile, string>()
  let closed: string | undefined
  const look = (file: ManagedFile, check: (path: string) => unknown): void => {
    const path = join(copy.directory, file)
    try {
      check(path)
    } catch (error) {
      if (!(error instanceof JpError)) throw error
      if (error.code === 'file_unreadable' || error.code === 'file_refused') closed ??= error.message
      else damage.set(file, error.code === 'file_not_found' ? 'there is no such file' : error.message)
    }
  }
  look('metadata.json', (path) => parseMetadata(readText(path, {noFollow: true}), path))
  look('events.json', (path) => countEvents(path, stampOf(path)?.size ?? 0))
  look('base_config.json', (path) =>
    stampOf(path) === undefined ? undefined : parseBaseConfig(readBytes(path, {noFollow: true}), copy.directory),
  )
  return {damage, closed}
}
