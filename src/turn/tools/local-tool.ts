import type {Tool, ToolRun} from '../tool.js'
import {splitCommand} from './command-words.js'
import {readOutcome} from './outcome.js'
import {runCommand} from './run-command.js'
import {renderForShell} from './shell-template.js'
import {renderTemplate, type TemplateValues} from './template.js'
import type {ToolHands} from './tool-hands.js'
import {descriptionOf, parametersSchema, type ToolSettings, timeLimitMs} from './tool-settings.js'

/** Where the tools of a turn run. */
export type ToolPlace = {
  /** The checkout: the working directory of every tool, and the root that built-in tools stay in. */
  readonly root: string
  readonly workspaceId: string
  readonly conversationId: string
  /** The environment that local commands get. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** What built-in tools work with; jp's own hands when absent. */
  readonly hands?: ToolHands | undefined
}

/** A command as configuration gives it, settled. */
export type CommandLine = {readonly program: string; readonly args: readonly string[]; readonly shell: boolean}

/** What a `command` setting means: a line cut into words, or its parts. */
export const commandLineOf = (command: NonNullable<ToolSettings['command']>): CommandLine => {
  if (typeof command === 'string') {
    const [program = '', ...args] = splitCommand(command)
    return {program, args, shell: false}
  }
  return {program: command.program, args: command.args ?? [], shell: command.shell ?? false}
}

/**
 * A tool that is a command of the configuration (W26, facts 9.5). It is started anew for each call; its arguments arrive
 * as they are, and through a shell only when the configuration says so.
 */
export const createLocalTool = (name: string, settings: ToolSettings, place: ToolPlace): Tool => ({
  name,
  description: descriptionOf(settings),
  inputSchema: parametersSchema(settings.parameters),
  shown: (args) => shownCommand(settings, templateValues({name, settings, place}, {arguments: args, answers: {}})),
  async run(call, signal) {
    const command = settings.command
    if (command === undefined) return {type: 'error', content: `The tool "${name}" has no command.`}
    const values = templateValues({name, settings, place}, call)
    const end = await runCommand({...renderedCommand(commandLineOf(command), values, place), cwd: place.root}, signal, {
      timeoutMs: timeLimitMs(settings),
    })
    return readOutcome(end)
  },
})

/** What is put into the templates of a command: the call, and where it runs. */
export const templateValues = (
  {name, settings, place}: {readonly name: string; readonly settings: ToolSettings; readonly place: ToolPlace},
  call: Pick<ToolRun, 'arguments' | 'answers'>,
  action: 'run' | 'format_arguments' = 'run',
): TemplateValues => ({
  tool: {name, arguments: call.arguments, answers: call.answers, options: settings.options ?? {}},
  context: {
    action,
    root: place.root,
    access: settings.access ?? {},
    workspace_id: place.workspaceId,
    conversation_id: place.conversationId,
  },
})

/** A command with its templates filled in. */
export const renderedCommand = (line: CommandLine, values: TemplateValues, place: ToolPlace) => {
  if (!line.shell) {
    const [command = '', ...args] = [line.program, ...line.args].map((word) => renderTemplate(word, values))
    return {command, args, env: place.env}
  }
  const shell = renderForShell([line.program, ...line.args].join(' '), values)
  return {command: 'sh', args: ['-c', shell.line], env: {...place.env, ...shell.env}}
}

/** The words that will run, for the person who decides: exactly what is started. */
const shownCommand = (settings: ToolSettings, values: TemplateValues): string => {
  if (settings.command === undefined) return ''
  const line = commandLineOf(settings.command)
  if (line.shell) {
    const {line: text, env} = renderForShell([line.program, ...line.args].join(' '), values)
    return [...Object.entries(env).map(([name, value]) => `${name}=${quotedWord(value)}`), text].join('\n')
  }
  return [line.program, ...line.args].map((word) => quotedWord(renderTemplate(word, values))).join(' ')
}

/** A word as it would be typed in a shell. */
export const quotedWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
