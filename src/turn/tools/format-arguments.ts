import {commandLineOf, renderedCommand, type ToolPlace, templateValues} from './local-tool.js'
import {runCommand} from './run-command.js'
import type {ToolSettings} from './tool-settings.js'

/** How long formatting may take: it stands between a call and the person who watches. Unit: milliseconds. */
const patienceMs = 5000

/** A call to show. */
export type ShownCall = {
  readonly name: string
  readonly settings: ToolSettings
  readonly arguments: Readonly<Record<string, unknown>>
}

/**
 * The arguments of a call as a command of the configuration formats them (`style.parameters`, facts 9.5: its action is
 * `format_arguments`). Runs only with `format = "unattended"`: nobody is asked about how something looks. Undefined where
 * it does not run, and when it fails.
 */
export const formatArguments = async (
  {name, settings, arguments: args}: ShownCall,
  place: ToolPlace,
): Promise<string | undefined> => {
  const command = settings.style?.parameters
  if (command === undefined || settings.format !== 'unattended') return undefined
  const values = templateValues({name, settings, place}, {arguments: args, answers: {}}, 'format_arguments')
  const started = {...renderedCommand(commandLineOf(command), values, place), cwd: place.root}
  const end = await runCommand(started, new AbortController().signal, {timeoutMs: patienceMs})
  return end.failure === undefined ? end.stdout : undefined
}
