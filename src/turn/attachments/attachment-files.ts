import {readdirSync, statSync} from 'node:fs'
import {basename, extname, isAbsolute, join, matchesGlob, relative} from 'node:path'
import {JpError} from '../../errors/jp-error.js'
import {decodeText} from '../../platform/decode-text.js'
import {readBytes} from '../../platform/files.js'
import type {AttachmentContent} from './attachment-content.js'

/** The largest file, and how many, that one attachment may bring. Unit: bytes. */
const maxFileBytes = 10 * 1024 * 1024
const maxFiles = 500

const mediaTypes: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.pdf': 'application/pdf',
}

/** The paths that a path, a folder or a glob means; relative ones from `root`. Sorted; empty when there are none. */
export const pathsOf = (target: string, root: string): string[] => {
  const path = isAbsolute(target) ? target : join(root, target)
  const stat = statSync(path, {throwIfNoEntry: false})
  if (stat?.isFile()) return [path]
  if (stat?.isDirectory()) return within([...walk(path)], target)
  if (!/[*?[{]/.test(target)) return []
  const base = globBase(path)
  return within(
    [...walk(base)].filter((file) => matchesGlob(file, path)),
    target,
  )
}

/** One file, as text or as what its name says. @throws JpError as `readBytes`, `file_refused` for other bytes. */
export const readAttachedFile = (path: string, root: string): AttachmentContent => {
  const bytes = readBytes(path, {maxBytes: maxFileBytes})
  const way = relative(root, path)
  const name = way.startsWith('..') ? path : way
  const mediaType = mediaTypes[extname(path).toLowerCase()]
  if (mediaType !== undefined) return {name, mediaType, bytes}
  if (bytes.subarray(0, 8192).includes(0) && !hasUtf16Mark(bytes)) {
    throw new JpError('file_refused', `${path} is no text, and no picture or PDF.`)
  }
  return {name, text: decodeText(bytes).text}
}

const hasUtf16Mark = (bytes: Buffer): boolean =>
  (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)

const within = (files: string[], target: string): string[] => {
  if (files.length <= maxFiles) return files.sort()
  throw new JpError('usage', `${target} means more than ${maxFiles} files.`, {hint: 'Attach a part of them.'})
}

const skipped: ReadonlySet<string> = new Set(['.git', 'node_modules'])

const walk = function* (folder: string): Generator<string, void, undefined> {
  let entries: ReturnType<typeof listFolder>
  try {
    entries = listFolder(folder)
  } catch {
    return
  }
  for (const entry of entries) {
    const path = join(folder, entry.name)
    if (entry.isDirectory() && !skipped.has(entry.name)) yield* walk(path)
    else if (entry.isFile()) yield path
  }
}

const listFolder = (folder: string) => readdirSync(folder, {withFileTypes: true})

/** The deepest folder of a glob that is no pattern. */
const globBase = (glob: string): string => {
  let base = glob
  while (/[*?[{]/.test(base) && basename(base) !== base) base = join(base, '..')
  return base
}
