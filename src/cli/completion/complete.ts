import {forTerminalLine} from '../../platform/sanitise.js'
import type {CommandTable} from '../command-table.js'
import {flagsAt, type Position, positionOf} from './position.js'

/** One thing that the typed word may become. */
export type Candidate = {readonly value: string; readonly text: string}

/** Where completion looks names up. Each reads only, and answers nothing rather than fail. */
export interface CompletionSources {
  /** Workspaces and checkouts as `-w` takes them. */
  targets(): Promise<readonly Candidate[]>
  /** Conversation ids of the checkout that the line acts in. */
  conversations(): Promise<readonly Candidate[]>
  /** Keys of the configuration. */
  configKeys(): Promise<readonly Candidate[]>
  /** Words that plugins claim behind these words, read from manifests alone. */
  pluginWords(words: readonly string[]): Promise<readonly Candidate[]>
}

/**
 * What the last of `words` may become (Q6), in the order to show.
 * @param words what stands behind `jp`; the last one is being typed.
 */
export const complete = async (
  words: readonly string[],
  table: CommandTable,
  sources: CompletionSources,
): Promise<Candidate[]> => {
  const typed = words.at(-1) ?? ''
  const candidates = await candidatesAt(positionOf(words, table), table, sources)
  const byValue = new Map(candidates.map((candidate) => [candidate.value, candidate]))
  return [...byValue.values()].filter((candidate) => candidate.value.startsWith(typed))
}

const candidatesAt = async (
  position: Position,
  table: CommandTable,
  sources: CompletionSources,
): Promise<readonly Candidate[]> => {
  switch (position.kind) {
    case 'nothing':
      return []
    case 'flag':
      return flagsAt(position.command).map((flag) => ({value: flag.name, text: flag.summary}))
    case 'external':
      return sources.pluginWords([...idWords(position.id), ...position.words])
    case 'value':
      return (await valuesOf(position, sources)).map((candidate) => ({
        ...candidate,
        value: `${position.attached}${candidate.value}`,
      }))
    case 'word':
      return wordsAt(position, table, sources)
  }
}

const idWords = (id: string): string[] => (id === '' ? [] : id.split(':'))

const wordsAt = async (
  position: Extract<Position, {kind: 'word'}>,
  table: CommandTable,
  sources: CompletionSources,
): Promise<readonly Candidate[]> => {
  const {id, command, index} = position
  const children =
    index > 0 ? [] : table.childrenOf(id).map((word) => ({value: word, text: summaryBelow(table, id, word)}))
  const shown = children.filter(
    (child) => table.find(id === '' ? child.value : `${id}:${child.value}`)?.hidden !== true,
  )
  const argument = Object.values(command?.args ?? {})[index]?.name
  const plugins = index === 0 && command === undefined ? await sources.pluginWords(idWords(id)) : []
  const values = argument === undefined ? [] : await argumentsOf(id, argument, sources)
  return [...shown, ...plugins, ...values]
}

const summaryBelow = (table: CommandTable, id: string, word: string): string =>
  table.find(id === '' ? word : `${id}:${word}`)?.summary ?? ''

const argumentsOf = async (id: string, argument: string, sources: CompletionSources): Promise<readonly Candidate[]> => {
  if (id.startsWith('conversation:')) return sources.conversations()
  if (id.startsWith('workspace:')) return sources.targets()
  if (id.startsWith('config:') && /key|path|assignment/.test(argument)) return sources.configKeys()
  return []
}

const valuesOf = async (
  {id, flag, options}: Extract<Position, {kind: 'value'}>,
  sources: CompletionSources,
): Promise<readonly Candidate[]> => {
  if (options !== undefined) return options.map((value) => ({value, text: ''}))
  if (flag === 'workspace') return sources.targets()
  if (flag === 'cfg') return sources.configKeys()
  if (flag === 'id' && (id === 'query' || id.startsWith('conversation:'))) return sources.conversations()
  return []
}

/** The candidates as the scripts read them: `value`, a tab, `text`; a line each. */
export const encodeCandidates = (candidates: readonly Candidate[]): string =>
  candidates.map(({value, text}) => `${forTerminalLine(value)}\t${forTerminalLine(text)}\n`).join('')
