import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {packageRoot} from '../platform/package-root.js'
import type {CommandEntry} from './command-table.js'

/** What the build wrote: our own file, so it is read as it is. */
export type CommandManifest = {
  readonly version: string
  readonly commands: Readonly<Record<string, CommandEntry & {readonly relativePath?: readonly string[]}>>
}

/** Reads `oclif.manifest.json`. */
export const readManifest = (): CommandManifest =>
  JSON.parse(readFileSync(join(packageRoot(), 'oclif.manifest.json'), 'utf8')) as CommandManifest
