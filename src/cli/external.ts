import {createApprovalStore} from '../plugin/approvals.js'
import {findPlugins} from '../plugin/find-plugins.js'
import type {CommandLine} from './argv.js'
import type {CommandTable} from './command-table.js'
import type {Invocation} from './invocation.js'
import {unknownCommand} from './unknown-command.js'

type ExternalLine = Extract<CommandLine, {kind: 'external'}>

/** The seam for plugins: what no built-in command takes. */
export const runExternal = async (line: ExternalLine, invocation: Invocation, table: CommandTable): Promise<void> => {
  const {environment, directories, clock} = invocation
  const group = line.at === '' ? [] : line.at.split(':')
  const words = [...group, ...line.words.slice(group.length)]
  const approvals = createApprovalStore({dataDirectory: directories.data, clock, pid: environment.pid})
  const plugins = findPlugins({environment, directories, nowMs: clock.nowMs()}, approvals.read())
  throw unknownCommand({at: line.at, words}, table, plugins)
}
