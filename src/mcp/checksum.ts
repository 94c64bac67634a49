import {createHash} from 'node:crypto'
import {accessSync, constants} from 'node:fs'
import {delimiter, join, resolve} from 'node:path'
import {readBytes} from '../platform/files.js'
import {serverError} from './server-error.js'
import type {ServerRequest} from './server-settings.js'

/**
 * Proves that the program of a server has the sum that the configuration pins.
 * @throws JpError `mcp_checksum_mismatch`, `mcp_start_failed` (there is no such program).
 */
export const checkSum = ({name, settings, spawnDir, env}: ServerRequest): void => {
  const {checksum, command = ''} = settings
  if (checksum === undefined) return
  const file = findProgram(command, spawnDir, env['PATH'] ?? '')
  if (file === undefined)
    throw serverError('mcp_start_failed', name, {says: `can't be started: there is no ${command}`})
  const algorithm = checksum.algorithm ?? 'sha256'
  const got = createHash(algorithm).update(readBytes(file)).digest('hex')
  if (got === checksum.value.toLowerCase()) return
  throw serverError('mcp_checksum_mismatch', name, {
    says: `is not the program that the configuration pins: ${algorithm} of ${file} is ${got}, not ${checksum.value}`,
    hint: `If the change is meant: jp config set providers.mcp.${name}.checksum.value=${got}`,
  })
}

const findProgram = (command: string, spawnDir: string, path: string): string | undefined => {
  if (/[/\\]/.test(command)) return resolve(spawnDir, command)
  return path
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, command))
    .find(isExecutable)
}

const isExecutable = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
