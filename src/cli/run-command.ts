import {commandModules} from 'jp:commands'
import {JpError} from '../errors/jp-error.js'
import type {CommandEntry} from './command-table.js'
import type {Invocation} from './invocation.js'
import {createOclifConfig} from './oclif-config.js'

/** Loads the one module of a command and runs it. */
export const runCommand = async (
  entry: CommandEntry,
  argv: readonly string[],
  invocation: Invocation,
): Promise<void> => {
  const load = Object.hasOwn(commandModules, entry.id) ? commandModules[entry.id] : undefined
  if (load === undefined) throw new JpError('internal', `The build left the command ${entry.id} out.`)
  const {default: command} = await load()
  await command.execute(argv, createOclifConfig(invocation), invocation)
}
