import {forTerminal} from '../platform/sanitise.js'
import {isTerminal} from '../platform/terminal.js'
import {createApprovalStore} from '../plugin/approvals.js'
import {findPlugins} from '../plugin/find-plugins.js'
import {officialFor, type RegistryEntry, readOfficialRegistry} from '../plugin/install/official-registry.js'
import type {Plugin} from '../plugin/plugin.js'
import type {PluginLaunch} from '../plugin/plugin-launch.js'
import {type Route, routeToPlugin} from '../plugin/routing.js'
import type {PluginFrontend} from '../plugin/run-plugin.js'
import type {CommandLine} from './argv.js'
import {builtInsOf} from './built-ins.js'
import type {CommandTable} from './command-table.js'
import type {Invocation} from './invocation.js'
import type {SettledFormat} from './output.js'
import type {PluginPrinter} from './plugin-printer.js'
import type {StopSignals} from './stop-signals.js'
import {unknownCommand} from './unknown-command.js'

type ExternalLine = Extract<CommandLine, {kind: 'external'}>

/** What the user typed, as far as routing needs it. */
export type ExternalWords = Pick<ExternalLine, 'words' | 'at' | 'help'>

/** The seam for plugins: what no built-in command takes (decision 0003). */
export const runExternal = async (line: ExternalWords, invocation: Invocation, table: CommandTable): Promise<void> => {
  const {environment, directories, clock} = invocation
  const group = line.at === '' ? [] : line.at.split(':')
  const words = [...group, ...line.words.slice(group.length)]
  const approvals = createApprovalStore({dataDirectory: directories.data, clock, pid: environment.pid})
  const find = (): readonly Plugin[] => findPlugins({environment, directories, nowMs: clock.nowMs()}, approvals.read())
  const plugins = find()
  const found = routeToPlugin(words, plugins, builtInsOf(table))
  const registry = (): readonly RegistryEntry[] => readOfficialRegistry({dataDirectory: directories.data})
  const isOffered = (): boolean =>
    found === undefined ||
    (words.length > found.claim.length && officialFor(words, registry(), found.claim.length) !== undefined)
  const route =
    isOffered() && (await installOffered(invocation, words, found))
      ? routeToPlugin(words, find(), builtInsOf(table))
      : found
  if (route === undefined) {
    throw unknownCommand({at: line.at, words}, table, {plugins, registry: registry()})
  }
  const code = await runRoute(route, invocation, line.help)
  if (code !== undefined) process.exitCode = code
}

/** Installs the official plugin that the words are for (P8); true when there was one. */
const installOffered = async (
  invocation: Invocation,
  words: readonly string[],
  route: Route | undefined,
): Promise<boolean> => {
  const [{withInstaller}, {installOnFirstUse}] = await Promise.all([
    import('./plugin-installer.js'),
    import('../plugin/install/first-use.js'),
  ])
  const note = (text: string): void => invocation.output.note(text)
  return withInstaller(invocation, (deps) => installOnFirstUse(deps, {words, route, note}))
}

/** Runs the plugin and gives the exit code of jp, the plugin's own (P22); or prints its help. */
const runRoute = async (route: Route, invocation: Invocation, help: boolean): Promise<number | undefined> => {
  const [{askPluginForHelp, runPlugin}, {createPluginPrinter}, {watchStopSignals}] = await Promise.all([
    import('../plugin/run-plugin.js'),
    import('./plugin-printer.js'),
    import('./stop-signals.js'),
  ])
  const {output} = invocation
  const signals = watchStopSignals(invocation.ending)
  const printer = createPluginPrinter(output, {
    isTerminal: {stdout: isTerminal(1), stderr: isTerminal(2)},
    ending: invocation.ending,
  })
  const frontend = frontendOf(invocation, printer, signals)
  try {
    if (help) {
      const text = forTerminal(await askPluginForHelp(frontend, route)).trimEnd()
      await output.write(`${text}\n`)
      return undefined
    }
    const end = await runPlugin(frontend, route)
    await printer.end()
    if (end.kind === 'failed') throw end.error
    if (end.kind === 'stopped') return signals.exitCode()
    if (end.code !== 0 && end.reason !== undefined) output.alert(`Error: ${forTerminal(end.reason)}\n`)
    return end.code
  } finally {
    signals.close()
  }
}

const frontendOf = (invocation: Invocation, printer: PluginPrinter, signals: StopSignals): PluginFrontend => {
  const {output, globals, directories, clock, environment} = invocation
  return {
    launch: invocation,
    cfg: globals.cfg,
    approvals: createApprovalStore({dataDirectory: directories.data, clock, pid: environment.pid}),
    prompter: invocation.prompter,
    trace: invocation.trace,
    version: invocation.version,
    logLevel: Math.min(globals.verbosity, 4),
    outputFormat: wireFormats[output.format],
    edit: (text, settings, cwd) => composeText(text, {invocation, settings, cwd}),
    print: (message) => printer.print(message),
    note: (text) => output.note(text),
    warn: (text) => output.warn(text),
    stop: signals.stop,
    kill: signals.kill,
  }
}

/** The editor of `jp query`, and nothing where there is none. */
const composeText = async (
  text: string,
  to: {readonly invocation: Invocation; readonly settings: PluginLaunch['editor']; readonly cwd: string},
): Promise<string | undefined> => {
  const [{findEditor}, {editText}] = await Promise.all([import('./editor.js'), import('./query/edit-text.js')])
  return findEditor(to.settings, to.invocation.environment) && editText(text, 'message.md', to)
}

/** The spelling of the formats on the wire (facts 5.3). */
const wireFormats = {
  text: 'text',
  'text-pretty': 'text_pretty',
  json: 'json',
  'json-pretty': 'json_pretty',
} as const satisfies Record<SettledFormat, string>
