import {JpError} from '../errors/jp-error.js'
import {nearest} from '../platform/nearest.js'
import type {CommandLine} from './argv.js'
import {type CommandTable, wordAliases} from './command-table.js'
import type {Invocation} from './invocation.js'

type ExternalLine = Extract<CommandLine, {kind: 'external'}>

/** The seam for plugins: what no built-in command takes. */
export const runExternal = async (line: ExternalLine, _invocation: Invocation, table: CommandTable): Promise<void> => {
  const depth = line.at === '' ? 0 : line.at.split(':').length
  const word = line.words[depth] ?? ''
  const shown = [...(line.at === '' ? [] : line.at.split(':')), word].join(' ')
  const known = [
    ...table.childrenOf(line.at),
    ...(line.at === '' ? Object.keys(wordAliases).filter((alias) => alias.length > 1) : []),
  ]
  const near = nearest(word, known)
  const help = `See "jp ${line.at === '' ? '' : `${line.at.replaceAll(':', ' ')} `}--help" for what there is.`
  throw new JpError('command_not_found', `There is no command "jp ${shown}".`, {
    hint:
      near === undefined
        ? help
        : `Did you mean "jp ${[...(line.at === '' ? [] : line.at.split(':')), near].join(' ')}"?`,
  })
}
