import {join} from 'node:path'
import type {ConversationId} from '../platform/id-grammar.js'
import {type ConversationRoot, shelfOf} from './conversation-roots.js'
import {directoryNameOf} from './directory-name.js'
import {appendElements} from './events-text.js'
import {locate} from './located.js'
import {type ManagedBytes, publishCopy, writeManaged} from './managed-files.js'
import {parseMetadata} from './metadata.js'
import type {Unborn} from './unborn.js'

/**
 * Puts a new conversation on the disk with its first events: it appears whole, in the durable root first. A folder that
 * holds its draft already is filled instead.
 * @throws JpError `disk_full`, `file_unwritable`.
 */
export const firstPersist = (
  roots: readonly ConversationRoot[],
  id: ConversationId,
  unborn: Unborn,
  texts: readonly string[],
): void => {
  const bytes: ManagedBytes = {...unborn.bytes, events: appendElements(unborn.bytes.events, texts)}
  const name = directoryNameOf(id, parseMetadata(bytes.metadata, 'metadata.json').title)
  const existing = locate(roots, id)?.copies ?? []
  for (const root of roots) {
    if (root.place === 'checkout' && unborn.isLocal && roots.length > 1) continue
    const composed = existing.find(({copy}) => copy.root.place === root.place)?.copy
    if (composed === undefined) publishCopy(root, {archived: false, name}, bytes)
    else writeManaged(composed.directory, root, bytes)
  }
}

/** The user-local folder of a conversation that is being composed: it holds a draft and nothing else yet. */
export const composingDirectory = (silo: ConversationRoot, id: ConversationId): string =>
  join(shelfOf(silo, false), directoryNameOf(id, undefined))
