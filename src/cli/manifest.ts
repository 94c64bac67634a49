import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {packageRoot} from '../platform/package-root.js'
import type {CommandEntry} from './command-table.js'

/** What the build wrote: our own file, so it is read as it is. */
export type CommandManifest = {
  readonly version: string
  readonly commands: Readonly<Record<string, CommandEntry>>
}

/** Reads what every run needs to know of the commands: a third of the whole manifest. */
export const readCommands = (): CommandManifest => read('dist', 'commands.json')

/** Reads `oclif.manifest.json`: each command with all that is said of it. */
export const readManifest = (): CommandManifest => read('oclif.manifest.json')

const read = (...path: readonly string[]): CommandManifest =>
  JSON.parse(readFileSync(join(packageRoot(), ...path), 'utf8')) as CommandManifest
