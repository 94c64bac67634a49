import {hasCode, JpError} from '../../errors/jp-error.js'
import {type Child, startChild} from '../../platform/child-process.js'
import type {HostEnvironment} from '../../platform/host-environment.js'
import type {Program} from '../program.js'
import {childEnvironment} from './child-environment.js'

/** A plugin's program, admitted. */
export type PluginProgram = {
  readonly name: string
  /** What was admitted. */
  readonly program: Program
  readonly cwd: string
}

/**
 * Starts a plugin in a process group of its own, with a clean environment and three pipes (P20).
 * @throws JpError `child_failed`.
 */
export const startPlugin = async (plugin: PluginProgram, environment: HostEnvironment): Promise<Child> => {
  const {name, program, cwd} = plugin
  try {
    return await startChild({
      command: program.command,
      args: program.args,
      cwd,
      env: childEnvironment(environment.env, {cwd, originalPath: program.originalPath}),
      stdin: 'pipe',
    })
  } catch (error) {
    if (!hasCode(error, 'child_failed')) throw error
    throw new JpError('child_failed', `Can't start the plugin "${name}" (${program.originalPath}): ${error.message}`, {
      cause: error,
      hint: `A script needs a first line such as #!/bin/sh, without a Windows line end. What jp runs is ${program.command}; its file system must allow programs to run.`,
    })
  }
}
