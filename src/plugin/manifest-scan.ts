import {isUtf8} from 'node:buffer'
import {fstatSync, readSync} from 'node:fs'
import {hasCode} from '../errors/jp-error.js'
import {type Manifest, manifestInvalid, readClaim, readManifest} from './manifest.js'

/** What a file says of itself. `claim` is what can still be made out of a manifest that is invalid. */
export type ManifestReading =
  | {readonly state: 'valid'; readonly manifest: Manifest}
  | {readonly state: 'absent'}
  | {readonly state: 'foreign'; readonly version: number}
  | {readonly state: 'invalid'; readonly reason: string; readonly claim: readonly string[]}

/** The longest manifest. Unit: bytes. */
const maxManifestBytes = 64 * 1024

const markerStart = Buffer.from('jp-plugin/v')
/** The longest marker: its start, up to ten digits, a space, a brace. Unit: bytes. */
const maxMarkerBytes = markerStart.length + 12
const blockBytes = 256 * 1024

/**
 * Finds the manifest in an open file: the line `jp-plugin/v1 {json}`, anywhere, exactly once (P2). Streams the file, so
 * that a binary of any size is read in bounded memory; executes nothing (P3).
 * @param file named in reasons.
 */
export const scanManifest = (fd: number, file: string): ManifestReading => {
  const markers = findMarkers(fd)
  const [marker, second] = markers
  if (marker === undefined) return {state: 'absent'}
  if (second !== undefined) return invalid(file, 'it has more than one "jp-plugin/v" marker', [])
  if (marker.version !== 1) return {state: 'foreign', version: marker.version}
  return parseLine(readLine(fd, marker.jsonAt), file)
}

type Marker = {readonly version: number; readonly jsonAt: number}

const findMarkers = (fd: number): Marker[] => {
  const size = fstatSync(fd).size
  const block = Buffer.allocUnsafe(Math.min(blockBytes, size) + maxMarkerBytes)
  const found: Marker[] = []
  let kept = 0
  for (let offset = 0; found.length < 2; ) {
    const got = readSync(fd, block, kept, block.length - kept, offset)
    const window = block.subarray(0, kept + got)
    const windowAt = offset - kept
    offset += got
    // A marker that begins in the last bytes is judged when what follows has been read.
    const end = got === 0 ? window.length : Math.max(0, window.length - maxMarkerBytes)
    for (let at = window.indexOf(markerStart); at !== -1 && at < end; at = window.indexOf(markerStart, at + 1)) {
      const match = /^jp-plugin\/v(\d{1,10}) \{/.exec(window.toString('latin1', at, at + maxMarkerBytes))
      if (match !== null) found.push({version: Number(match[1]), jsonAt: windowAt + at + match[0].length - 1})
    }
    if (got === 0) break
    block.copyWithin(0, end, window.length)
    kept = window.length - end
  }
  return found
}

/** The bytes from the brace to a line feed, a NUL or the end of the file; at most one more than is allowed. */
const readLine = (fd: number, at: number): Buffer => {
  const bytes = Buffer.alloc(maxManifestBytes + 1)
  let length = 0
  while (length < bytes.length) {
    const got = readSync(fd, bytes, length, bytes.length - length, at + length)
    if (got === 0) break
    length += got
  }
  const all = bytes.subarray(0, length)
  const ends = [all.indexOf(0x0a), all.indexOf(0)].filter((index) => index !== -1)
  return all.subarray(0, Math.min(length, ...ends))
}

const parseLine = (line: Buffer, file: string): ManifestReading => {
  if (line.length > maxManifestBytes) return invalid(file, 'it is longer than 64 KiB', [])
  if (!isUtf8(line)) return invalid(file, 'it is not UTF-8', [])
  let value: unknown
  try {
    value = JSON.parse(line.toString('utf8'))
  } catch {
    return invalid(file, 'it is not JSON on one line', [])
  }
  try {
    return {state: 'valid', manifest: readManifest(value, file)}
  } catch (error) {
    if (!hasCode(error, 'plugin_manifest_invalid')) throw error
    const command = typeof value === 'object' && value !== null && 'command' in value ? value.command : undefined
    return {state: 'invalid', reason: error.message, claim: readClaim(command) ?? []}
  }
}

const invalid = (file: string, what: string, claim: readonly string[]): ManifestReading => ({
  state: 'invalid',
  reason: manifestInvalid(file, what).message,
  claim,
})
