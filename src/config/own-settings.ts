import {join} from 'node:path'
import {makeDirectory, readTextIfPresent, writeAtomicIfChanged} from '../platform/files.js'
import type {ConversationId} from '../platform/id-grammar.js'
import type {Resolution} from './pipeline.js'

/**
 * A conversation's stored configuration may travel with a checkout, so what is guarded in it takes effect only when a
 * trusted layer gives it too, or when the user gave it to this conversation by hand. This remembers the latter, in the
 * user-local store, which no checkout can write.
 */
const fileOf = (silo: string, id: ConversationId): string => join(silo, 'accepted', `${id}.json`)

/** The guarded settings that the user gave a conversation on this machine, by digest. */
export const readOwnSettings = (silo: string | undefined, id: ConversationId): ReadonlySet<string> => {
  if (silo === undefined) return new Set()
  try {
    const digests: unknown = JSON.parse(readTextIfPresent(fileOf(silo, id)) ?? '[]')
    return new Set(Array.isArray(digests) ? digests.filter((digest) => typeof digest === 'string') : [])
  } catch {
    // What can't be read accepts nothing.
    return new Set()
  }
}

/**
 * Remembers the guarded settings that the user gave a conversation. To be called when `baseConfig` or `delta` of the
 * resolution is stored.
 * @throws JpError `disk_full`, `file_unwritable`.
 */
export const rememberOwnSettings = (
  silo: string | undefined,
  id: ConversationId,
  {own}: Pick<Resolution, 'own'>,
): void => {
  if (silo === undefined) return
  const digests = [...own]
  const file = fileOf(silo, id)
  if (digests.length === 0 && readTextIfPresent(file) === undefined) return
  makeDirectory(join(silo, 'accepted'), 'user')
  writeAtomicIfChanged(file, `${JSON.stringify(digests)}\n`, 'user')
}
