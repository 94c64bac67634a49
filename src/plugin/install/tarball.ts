import {isUtf8} from 'node:buffer'
import {gunzipSync} from 'node:zlib'
import {JpError} from '../../errors/jp-error.js'

/** One file of a package, as its tarball holds it. */
export type PackedFile = {
  /** Relative to the package, with `/`; proven to stay inside. */
  readonly path: string
  readonly isExecutable: boolean
  readonly content: Buffer
}

/** What an archive may hold at most: beyond this it is a bomb, not a plugin. */
const limits = {unpackedBytes: 512 * 1024 * 1024, files: 50_000, pathBytes: 1024} as const

const blockBytes = 512

/**
 * Reads the files of an npm tarball from its bytes, without writing anything (P16). npm's own unpacking passes over what
 * it does not like; here an archive that no packing tool makes is refused as a whole: climbing or absolute paths, links,
 * devices, two entries for one file, names that differ by case alone, more than it may hold.
 * @param source named in errors.
 * @throws JpError `plugin_archive_invalid`.
 */
export const readTarball = (bytes: Buffer, source: string): readonly PackedFile[] => {
  const refuse = (what: string, cause?: unknown): JpError =>
    new JpError('plugin_archive_invalid', `${source} is no usable package archive: ${what}.`, {
      cause,
      hint: 'Nothing was installed.',
    })
  const tar = unzip(bytes, refuse)
  const files: PackedFile[] = []
  const taken = createTakenPaths(refuse)
  for (const entry of entriesOf(tar, refuse)) {
    const path = insidePath(entry.path, refuse)
    if (path === undefined) continue
    taken.add(path)
    files.push({path, isExecutable: (entry.mode & 0o111) !== 0, content: entry.content})
    if (files.length > limits.files) throw refuse(`it holds more than ${limits.files} files`)
  }
  return files
}

type Refuse = (what: string, cause?: unknown) => JpError

const unzip = (bytes: Buffer, refuse: Refuse): Buffer => {
  if (bytes.length === 0) throw refuse('it is empty')
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) {
    const start = bytes.toString('latin1', 0, 200).trimStart()
    throw refuse(/^<(?:!doctype|html|\?xml)/i.test(start) ? 'it is a web page' : 'it is not compressed by gzip')
  }
  try {
    return gunzipSync(bytes, {maxOutputLength: limits.unpackedBytes})
  } catch (error) {
    const isLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
    throw refuse(
      isLarge ? `it unpacks to more than ${limits.unpackedBytes / 1024 / 1024} MB` : 'it is cut short or damaged',
      error,
    )
  }
}

type Entry = {readonly path: string; readonly mode: number; readonly content: Buffer}

const kinds: Readonly<Record<string, string>> = {
  '1': 'a hard link',
  '2': 'a symbolic link',
  '3': 'a device',
  '4': 'a device',
  '6': 'a FIFO',
}

/** The regular files, with the long names of pax and GNU resolved. */
function* entriesOf(tar: Buffer, refuse: Refuse): Generator<Entry> {
  let longPath: string | undefined
  for (let at = 0; at + blockBytes <= tar.length; ) {
    const header = tar.subarray(at, at + blockBytes)
    if (header.every((byte) => byte === 0)) return
    if (!hasRightSum(header)) throw refuse('it is damaged: a header has a wrong checksum')
    const size = readNumber(header, 124, 12)
    const shown = longPath ?? pathOf(header)
    const start = at + blockBytes
    if (size === undefined || start + size > tar.length) throw refuse(`it ends in the middle of ${quoted(shown)}`)
    const content = tar.subarray(start, start + size)
    at = start + Math.ceil(size / blockBytes) * blockBytes
    const type = String.fromCharCode(header[156] ?? 0)
    if (type === 'x') longPath = paxPath(content, refuse) ?? longPath
    else if (type === 'L') longPath = textOf(content)
    else if (type === 'g') paxPath(content, refuse)
    else {
      if (type === '0' || type === '\0' || type === '7') {
        yield {path: shown, mode: readNumber(header, 100, 8) ?? 0, content}
      } else if (type !== '5') throw refuse(`${quoted(shown)} is ${kinds[type] ?? 'of an unknown kind'}`)
      longPath = undefined
    }
  }
}

const hasRightSum = (header: Buffer): boolean => {
  const stated = readNumber(header, 148, 8)
  const sum = header.reduce((total, byte, index) => total + (index >= 148 && index < 156 ? 0x20 : byte), 0)
  return stated === sum
}

/** An octal number, or undefined when it is none. */
const readNumber = (header: Buffer, at: number, length: number): number | undefined => {
  const text = textOf(header.subarray(at, at + length)).trim()
  return /^[0-7]+$/.test(text) ? Number.parseInt(text, 8) : undefined
}

const textOf = (bytes: Buffer): string => {
  const end = bytes.indexOf(0)
  return bytes.toString('utf8', 0, end === -1 ? bytes.length : end)
}

const pathOf = (header: Buffer): string => {
  const name = textOf(header.subarray(0, 100))
  const prefix = header.toString('latin1', 257, 262) === 'ustar' ? textOf(header.subarray(345, 500)) : ''
  return prefix === '' ? name : `${prefix}/${name}`
}

/** The `path` of a pax header. One that changes sizes or links could make this reader and another see two archives. */
const paxPath = (content: Buffer, refuse: Refuse): string | undefined => {
  let path: string | undefined
  for (let at = 0; at < content.length; ) {
    const space = content.indexOf(0x20, at)
    const length = Number(content.toString('latin1', at, space))
    if (space === -1 || !Number.isSafeInteger(length) || length < 4 || at + length > content.length)
      throw refuse('it is damaged: an extended header')
    const record = content.subarray(space + 1, at + length - 1)
    const [key = ''] = record.toString('latin1').split('=', 1)
    if (key === 'size' || key === 'linkpath') throw refuse(`an extended header sets "${key}"`)
    if (key === 'path') {
      const value = record.subarray('path='.length)
      if (!isUtf8(value)) throw refuse('a file name is not UTF-8')
      path = value.toString('utf8')
    }
    at += length
  }
  return path
}

/** The path without its first folder, which npm takes off; undefined for what lies outside of any folder. */
const insidePath = (path: string, refuse: Refuse): string | undefined => {
  const parts = path.split('/')
  if (path.startsWith('/') || /^[A-Za-z]:/.test(path)) throw refuse(`${quoted(path)} is an absolute path`)
  if (path.includes('\\')) throw refuse(`${quoted(path)} has a backslash in its name`)
  if (parts.includes('..')) throw refuse(`${quoted(path)} climbs out of the package`)
  if (/[\u0000-\u001f\u007f\ufffd]/.test(path)) throw refuse(`${quoted(path)} has a control character in its name`)
  if (Buffer.byteLength(path) > limits.pathBytes) throw refuse('a path is longer than 1024 bytes')
  const inside = parts.slice(1).filter((part) => part !== '' && part !== '.')
  return inside.length === 0 ? undefined : inside.join('/')
}

/** No file twice, none where a folder is, no two names that are one on a file system that folds case. */
const createTakenPaths = (refuse: Refuse) => {
  const files = new Map<string, string>()
  const folders = new Map<string, string>()
  const fold = (path: string): string => path.normalize('NFC').toLowerCase()
  return {
    add(path: string): void {
      const key = fold(path)
      const twin = files.get(key) ?? folders.get(key)
      if (twin === path) throw refuse(`it holds ${quoted(path)} twice`)
      if (twin !== undefined) throw refuse(`${quoted(twin)} and ${quoted(path)} clash where case does not count`)
      files.set(key, path)
      const parts = path.split('/')
      for (let depth = 1; depth < parts.length; depth++) {
        const folder = parts.slice(0, depth).join('/')
        const known = files.get(fold(folder)) ?? folders.get(fold(folder))
        if (files.has(fold(folder))) throw refuse(`${quoted(folder)} is a file and a folder`)
        if (known !== undefined && known !== folder)
          throw refuse(`${quoted(known)} and ${quoted(folder)} clash where case does not count`)
        folders.set(fold(folder), folder)
      }
    },
  }
}

const quoted = (path: string): string => JSON.stringify(path.slice(0, 120))
