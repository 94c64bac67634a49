import {type CommandEntry, type CommandTable, childId} from '../command-table.js'
import {type GlobalFlag, globalFlags} from '../global-flags.js'

/** What can stand at the place that is being completed. */
export type Position =
  | {readonly kind: 'word'; readonly id: string; readonly command: CommandEntry | undefined; readonly index: number}
  | {readonly kind: 'flag'; readonly id: string; readonly command: CommandEntry | undefined}
  | {
      readonly kind: 'value'
      readonly id: string
      readonly flag: string
      readonly options: readonly string[] | undefined
      readonly attached: string
    }
  | {readonly kind: 'external'; readonly id: string; readonly words: readonly string[]}
  | {readonly kind: 'nothing'}

type Flag = {readonly name: string; readonly takesValue: boolean; readonly options: readonly string[] | undefined}

/**
 * Finds what the last of `words` may become. Tolerant: a line that jp would refuse completes as far as it can be read.
 * @param words what stands behind `jp`; the last one is the one being typed, `''` when nothing is typed yet.
 */
export const positionOf = (words: readonly string[], table: CommandTable): Position => {
  const typed = words.at(-1) ?? ''
  let id = ''
  let positionals = 0
  let waiting: Flag | undefined
  for (const [at, word] of words.slice(0, -1).entries()) {
    const command = table.find(id)
    if (waiting !== undefined) waiting = undefined
    else if (word === '--') return {kind: 'nothing'}
    else if (word.startsWith('-') && word !== '-') waiting = valueFlag(word, command)
    else if (positionals === 0 && (table.find(childId(id, word)) !== undefined || table.isTopic(childId(id, word))))
      id = childId(id, word)
    else if (command === undefined) return {kind: 'external', id, words: words.slice(at, -1)}
    else positionals += 1
  }
  const command = table.find(id)
  if (waiting !== undefined) return {kind: 'value', id, flag: waiting.name, options: waiting.options, attached: ''}
  const equals = typed.indexOf('=')
  if (typed.startsWith('--') && equals !== -1) {
    const flag = findFlag(typed.slice(2, equals), command)
    if (flag?.takesValue === true)
      return {kind: 'value', id, flag: flag.name, options: flag.options, attached: typed.slice(0, equals + 1)}
  }
  return typed.startsWith('-') ? {kind: 'flag', id, command} : {kind: 'word', id, command, index: positionals}
}

/** Every flag that may stand at a place, with its summary. */
export const flagsAt = (command: CommandEntry | undefined): {name: string; summary: string}[] => {
  const own = Object.values(command?.flags ?? {}).filter(
    (flag) => !globalFlags.some((global) => global.name === flag.name),
  )
  return [
    ...own.map((flag) => ({name: `--${flag.name}`, summary: summaryOf(flag)})),
    ...globalFlags.map((flag) => ({name: `--${flag.name}`, summary: flag.summary})),
    {name: '--help', summary: 'Show help.'},
  ]
}

const summaryOf = (flag: object): string => ('summary' in flag && typeof flag.summary === 'string' ? flag.summary : '')

/** The flag whose value comes next, when this word is one without its value. */
const valueFlag = (word: string, command: CommandEntry | undefined): Flag | undefined => {
  if (word.includes('=')) return undefined
  const flag = word.startsWith('--')
    ? findFlag(word.slice(2), command)
    : word.length === 2
      ? findShort(word.slice(1), command)
      : undefined
  return flag?.takesValue === true ? flag : undefined
}

const findFlag = (name: string, command: CommandEntry | undefined): Flag | undefined => {
  const own = Object.values(command?.flags ?? {}).find((flag) => flag.name === name)
  const global: GlobalFlag | undefined = globalFlags.find((flag) => flag.name === name)
  if (global !== undefined)
    return {name, takesValue: global.kind === 'value' || global.kind === 'list', options: global.options}
  if (own === undefined) return undefined
  const options = 'options' in own && Array.isArray(own.options) ? own.options.map(String) : undefined
  return {name, takesValue: own.type === 'option', options}
}

const findShort = (char: string, command: CommandEntry | undefined): Flag | undefined => {
  const own = Object.values(command?.flags ?? {}).find((flag) => flag.char === char)
  const name = own?.name ?? globalFlags.find((flag) => 'char' in flag && flag.char === char)?.name
  return name === undefined ? undefined : findFlag(name, command)
}
