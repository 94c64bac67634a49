import {hasCode, JpError} from '../../errors/jp-error.js'
import {type Child, startChild} from '../../platform/child-process.js'
import type {HostEnvironment} from '../../platform/host-environment.js'
import {childEnvironment} from './child-environment.js'

/** A plugin's program, admitted. */
export type PluginProgram = {
  readonly name: string
  /** The file to start: the private copy. */
  readonly executable: string
  /** Canonical path of the original. */
  readonly originalPath: string
  readonly cwd: string
}

/**
 * Starts a plugin in a process group of its own, with a clean environment and three pipes (P20).
 * @throws JpError `child_failed`.
 */
export const startPlugin = async (program: PluginProgram, environment: HostEnvironment): Promise<Child> => {
  try {
    return await startChild({
      command: program.executable,
      args: [],
      cwd: program.cwd,
      env: childEnvironment(environment.env, program),
      stdin: 'pipe',
    })
  } catch (error) {
    if (!hasCode(error, 'child_failed')) throw error
    throw new JpError(
      'child_failed',
      `Can't start the plugin "${program.name}" (${program.originalPath}): ${error.message}`,
      {
        cause: error,
        hint: `A script needs a first line such as #!/bin/sh. The copy that jp runs is ${program.executable}; its file system must allow programs to run.`,
      },
    )
  }
}
