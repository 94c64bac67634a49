import {accessSync, constants} from 'node:fs'
import {delimiter, isAbsolute, join} from 'node:path'
import type {Configuration} from '../config/schema.js'
import {JpError} from '../errors/jp-error.js'
import {runOnTerminal} from '../platform/child-process.js'
import {type HostEnvironment, variable} from '../platform/host-environment.js'
import {onSignal} from '../platform/signals.js'
import {openTerminalDescriptors} from '../platform/terminal.js'
import {splitCommand} from '../turn/tools/command-words.js'
import {commandLineOf} from '../turn/tools/local-tool.js'

/** The editor for longer texts (`editor` of the configuration). */
export type EditorSettings = Pick<Configuration['editor'], 'cmd' | 'envs'>

type EditorCommand = {readonly program: string; readonly args: readonly string[]}

/**
 * Opens files in the editor, on the terminal, and settles when it is closed.
 * @param cwd where it runs.
 * @throws JpError `usage` when there is no editor, `child_failed` when it can't be started or fails.
 */
export const openInEditor = async (
  files: readonly string[],
  settings: EditorSettings,
  {environment, cwd}: {readonly environment: HostEnvironment; readonly cwd: string},
): Promise<void> => {
  const editor = findEditor(settings, environment)
  if (editor === undefined) {
    throw new JpError('usage', 'There is no editor.', {
      hint: `Set one: export EDITOR=vim, or jp config set editor.cmd=vim. Looked at: ${settings.envs.join(', ')}.`,
    })
  }
  const terminal = openTerminalDescriptors(environment.platform)
  // Ctrl-C is a key of the editor while it runs.
  const stopListening = onSignal('SIGINT', () => undefined)
  try {
    const {program, args} = editor
    const exit = await runOnTerminal({command: program, args: [...args, ...files], cwd, env: environment.env}, terminal)
    if ('code' in exit && exit.code === 0) return
    const how = 'code' in exit ? `code ${exit.code}` : exit.signal
    throw new JpError('child_failed', `The editor ${program} ended with ${how}; its text was not used.`)
  } finally {
    stopListening()
    terminal.close()
  }
}

/** The configured editor, else the first variable that is set and names an installed program; undefined for none. */
export const findEditor = (settings: EditorSettings, environment: HostEnvironment): EditorCommand | undefined => {
  if (settings.cmd !== undefined) {
    const {program, args, shell} = commandLineOf(settings.cmd)
    return shell ? {program: 'sh', args: ['-c', `${[program, ...args].join(' ')} "$@"`, 'sh']} : {program, args}
  }
  for (const name of settings.envs) {
    const [program, ...args] = splitCommand(variable(environment, name) ?? '')
    if (program !== undefined && isInstalled(program, environment)) return {program, args}
  }
  return undefined
}

const isInstalled = (program: string, environment: HostEnvironment): boolean => {
  if (isAbsolute(program) || program.includes('/')) return isExecutable(program)
  return (variable(environment, 'PATH') ?? '').split(delimiter).some((folder) => isExecutable(join(folder, program)))
}

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
