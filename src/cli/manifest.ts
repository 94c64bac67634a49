import {readFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {fileURLToPath} from 'node:url'
import type {CommandEntry} from './command-table.js'

/** What the build wrote: our own file, so it is read as it is. */
export type CommandManifest = {
  readonly version: string
  readonly commands: Readonly<Record<string, CommandEntry & {readonly relativePath?: readonly string[]}>>
}

/** The folder of the installed package: the one above `dist/`. */
export const packageRoot = (): string => {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (
    !folder.endsWith('/dist') &&
    !folder.endsWith('\\dist') &&
    !folder.endsWith('/src') &&
    folder !== dirname(folder)
  )
    folder = dirname(folder)
  return dirname(folder)
}

/** Reads `oclif.manifest.json`. */
export const readManifest = (): CommandManifest =>
  JSON.parse(readFileSync(join(packageRoot(), 'oclif.manifest.json'), 'utf8')) as CommandManifest
