import {join} from 'node:path'
import {JpError} from '../errors/jp-error.js'
import {builtin} from '../platform/builtin.js'
import {readBytes, removeFile, syncDirectory, writeAtomic} from '../platform/files.js'
import {isTaken} from '../platform/folders.js'

/** The name of a query draft; it stands in the conversation's user-local folder alone, and is never projected. */
export const draftName = 'QUERY_MESSAGE.md'

/** A draft as it is stored. */
export type Draft = {
  /** The words of the query: what stands before the marker (facts 2.11). */
  readonly content: string
  /** A fingerprint of the whole file, what stands below the marker included. */
  readonly revision: string
}

/** What came of a write. */
export type DraftWrite =
  | {readonly state: 'written'; readonly draft: Draft | undefined}
  /** The stored draft is another than the writer knew; nothing was written. */
  | {readonly state: 'conflict'; readonly draft: Draft | undefined}

const maxDraftBytes = 64 * 1024 * 1024

/** The first line of the marker: what follows it is for the person who edits the file. */
const marker = `${'-'.repeat(39)}8<${'-'.repeat(39)}`

/**
 * The draft in a conversation's user-local folder; undefined when there is none.
 * @throws JpError `file_unreadable`, `file_refused`.
 */
export const readDraft = (directory: string): Draft | undefined => {
  try {
    return draftOf(readBytes(join(directory, draftName), {maxBytes: maxDraftBytes, noFollow: true}))
  } catch (error) {
    if (error instanceof JpError && error.code === 'file_not_found') return undefined
    throw error
  }
}

/**
 * Replaces the draft when it is still the one that the writer knew; empty content removes it. The caller holds a lock
 * that every writer takes.
 * @param revision of the draft that the writer knew; undefined for none.
 * @throws JpError `disk_full`, `file_unwritable`, and as {@link readDraft}.
 */
export const writeDraft = (directory: string, content: string, revision: string | undefined): DraftWrite => {
  const stored = readDraft(directory)
  if (stored?.revision !== revision) return {state: 'conflict', draft: stored}
  const path = join(directory, draftName)
  if (content === '') {
    removeDraft(directory)
    return {state: 'written', draft: undefined}
  }
  const bytes = Buffer.from(content, 'utf8')
  writeAtomic(path, bytes, 'user')
  return {state: 'written', draft: draftOf(bytes)}
}

/** Removes the draft, when there is one. @throws JpError `file_unwritable`. */
export const removeDraft = (directory: string): void => {
  const path = join(directory, draftName)
  if (!isTaken(path)) return
  removeFile(path)
  syncDirectory(directory)
}

const draftOf = (bytes: Buffer): Draft => {
  const text = bytes.toString('utf8')
  const at = text.startsWith(marker) ? 0 : text.indexOf(`\n${marker}`)
  return {
    content: at === -1 ? text : text.slice(0, at).trim(),
    revision: builtin('node:crypto').createHash('sha256').update(bytes).digest('hex').slice(0, 16),
  }
}
