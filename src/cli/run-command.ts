import {join} from 'node:path'
import {pathToFileURL} from 'node:url'
import type {Config} from '@oclif/core/config'
import {JpError} from '../errors/jp-error.js'
import type {CommandEntry} from './command-table.js'
import type {Invocation} from './invocation.js'
import {packageRoot} from './manifest.js'
import {createOclifConfig} from './oclif-config.js'

type Runnable = {execute(argv: readonly string[], config: Config, invocation: Invocation): Promise<void>}

/** Loads the one file of a command and runs it. */
export const runCommand = async (
  entry: CommandEntry,
  argv: readonly string[],
  invocation: Invocation,
): Promise<void> => {
  const file = join(packageRoot(), 'dist', 'commands', `${entry.id.replaceAll(':', '/')}.js`)
  const module = (await import(pathToFileURL(file).href)) as {readonly default?: Runnable}
  if (module.default === undefined) throw new JpError('internal', `${file} is no command.`)
  await module.default.execute(argv, createOclifConfig(invocation), invocation)
}
