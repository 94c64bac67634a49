import {lstatSync, mkdirSync, rmdirSync, type Stats, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {JpError} from '../errors/jp-error.js'
import {canonicalIfPresent} from '../platform/contained-path.js'
import {isMissing, readFailure, writeFailure} from '../platform/file-errors.js'
import {publishFolder} from '../platform/folders.js'
import type {WorkspaceId} from '../platform/id-grammar.js'
import {type Checkout, storageName} from './checkout.js'
import {idFileText} from './workspace-id-file.js'

/**
 * Refuses a folder in which something is called `.jp` already, whatever it is: `jp init` never writes over one (W1).
 * @throws JpError `workspace_exists`.
 */
export const refuseExisting = (folder: string): void => {
  const path = join(folder, storageName)
  const stat = statIfPresent(path)
  if (stat === undefined) return
  const what = stat.isDirectory() ? `${folder} is a workspace already: it has ${path}.` : `${path} is in the way.`
  throw new JpError('workspace_exists', what, {
    hint: stat.isDirectory() ? 'See it with "jp w show"; change it with "jp config set".' : undefined,
  })
}

const statIfPresent = (path: string): Stats | undefined => {
  try {
    return lstatSync(path)
  } catch (error) {
    if (isMissing(error)) return undefined
    throw readFailure(path, error)
  }
}

/**
 * Makes a workspace of a folder, which is created when it is missing (W1): `.jp/.id` and `.jp/config.toml` appear
 * together or not at all.
 * @throws JpError `workspace_exists`, `disk_full`, `file_unwritable`. Nothing is left behind.
 */
export const createWorkspace = (
  folder: string,
  content: {readonly id: WorkspaceId; readonly config: string},
): Checkout => {
  refuseExisting(folder)
  const created = makeFolders(folder)
  try {
    publishFolder(join(folder, storageName), 'umask', (storage) => {
      writeFileSync(join(storage, '.id'), idFileText(content.id))
      writeFileSync(join(storage, 'config.toml'), content.config)
    })
  } catch (error) {
    removeFolders(folder, created)
    throw error
  }
  return {id: content.id, root: canonicalIfPresent(folder) ?? folder}
}

/** @returns the topmost folder that was created, or undefined when it was there. */
const makeFolders = (folder: string): string | undefined => {
  try {
    return mkdirSync(folder, {recursive: true})
  } catch (error) {
    throw writeFailure(folder, error)
  }
}

const removeFolders = (folder: string, created: string | undefined): void => {
  if (created === undefined) return
  try {
    for (let at = folder; ; at = join(at, '..')) {
      rmdirSync(at)
      if (at === created) return
    }
  } catch {
    // Somebody put something in: it stays.
  }
}
