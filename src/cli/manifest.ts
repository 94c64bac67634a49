import {readFileSync} from 'node:fs'
import {basename, dirname, join} from 'node:path'
import type {CommandEntry} from './command-table.js'

/** What the build wrote: our own file, so it is read as it is. */
export type CommandManifest = {
  readonly version: string
  readonly commands: Readonly<Record<string, CommandEntry & {readonly relativePath?: readonly string[]}>>
}

/** The folder of the installed package. Built, this module is a part of `dist/entry.js`; as a source it lies in `src/cli`. */
export const packageRoot = (): string => {
  const here = import.meta.dirname
  return basename(here) === 'dist' ? dirname(here) : dirname(dirname(here))
}

/** Reads `oclif.manifest.json`. */
export const readManifest = (): CommandManifest =>
  JSON.parse(readFileSync(join(packageRoot(), 'oclif.manifest.json'), 'utf8')) as CommandManifest
