import type {JpError} from '../errors/jp-error.js'
import {createRedactor} from '../platform/redact.js'
import {isTerminal} from '../platform/terminal.js'
import {silentTrace} from '../platform/trace.js'
import {type CommandLine, readCommandLine} from './argv.js'
import {type CommandTable, createCommandTable} from './command-table.js'
import {createInvocation} from './create-invocation.js'
import {createEnding} from './ending.js'
import type {GlobalOptions} from './global-flags.js'
import type {Invocation} from './invocation.js'
import {watchLauncher} from './launcher-watch.js'
import {readCommands} from './manifest.js'
import {wantsColor} from './paint.js'
import {reportError, stackOf, toJpError} from './report-error.js'

/** Runs jp once. Never calls `process.exit` while output may be pending; settles when the command has ended. */
export const runJp = async (argv: readonly string[]): Promise<void> => {
  const isLaunched = watchLauncher()
  let line: CommandLine | undefined
  const tell = (error: JpError): number => {
    const {text, exitCode} = textOfError(error, argv, line?.globals)
    ending.streams.stderr.write(text)
    return exitCode
  }
  const ending = createEnding(tell, isLaunched)
  let trace = silentTrace
  try {
    const manifest = readCommands()
    const table = createCommandTable(manifest.commands)
    line = readCommandLine(argv, table)
    const invocation = createInvocation(line.globals, {
      argv,
      commands: table,
      version: manifest.version,
      ending: ending.signal,
      streams: ending.streams,
    })
    trace = invocation.trace
    await run(line, invocation, table)
  } catch (error) {
    trace.write('error', 'jp', String(error), {stack: stackOf(error)})
    process.exitCode = tell(toJpError(error))
  } finally {
    ending.settle()
  }
}

const run = async (line: CommandLine, invocation: Invocation, table: CommandTable): Promise<void> => {
  if (line.kind !== 'version' && line.kind !== 'help' && line.globals.workspace.includes('help')) {
    const {printHelpFor} = await import('./help.js')
    return printHelpFor(['targets'], invocation)
  }
  switch (line.kind) {
    case 'version': {
      const {printVersion} = await import('./version.js')
      return printVersion(invocation)
    }
    case 'help': {
      const {printHelp} = await import('./help.js')
      return printHelp(line.id, invocation)
    }
    case 'external': {
      const {runExternal} = await import('./external.js')
      return runExternal(line, invocation, table)
    }
    case 'command': {
      const {runCommand} = await import('./run-command.js')
      return runCommand(line.command, line.argv, invocation)
    }
  }
}

/**
 * An error as it is told on stderr, and its exit code. A command line that could not be read, or that names nothing, still
 * says how to print its error.
 */
const textOfError = (error: JpError, argv: readonly string[], globals: GlobalOptions | undefined) => {
  const isRead = globals !== undefined && error.code !== 'command_not_found'
  const wantsJson = isRead
    ? globals.format.startsWith('json')
    : /(?:^|\n)(?:-F|--format)[=\n]?json/.test(argv.join('\n'))
  const {text, exitCode} = reportError(error, {
    format: wantsJson ? 'json' : 'text',
    color: wantsColor({env: process.env, isTerminal: isTerminal(2), noColorFlag: globals?.noColor ?? false}),
    showStack: (globals?.verbosity ?? 0) >= 2,
  })
  return {text: createRedactor(process.env)(text), exitCode}
}
