import {JpError} from '../errors/jp-error.js'
import {nearest} from '../platform/nearest.js'
import type {RegistryEntry} from '../plugin/install/official-registry.js'
import {type Plugin, statedClaim} from '../plugin/plugin.js'
import {type CommandTable, wordAliases} from './command-table.js'

/** Words that nothing takes. */
export type UnknownWords = {
  /** The id of the built-in group that they begin with, or `''`. */
  readonly at: string
  /** All words, the group's among them, aliases spelled out. */
  readonly words: readonly string[]
}

/** The plugins that are found, and those that the registry knows. */
export type KnownPlugins = {
  readonly plugins: readonly Plugin[]
  readonly registry: readonly Pick<RegistryEntry, 'id' | 'claim' | 'description'>[]
}

/** The error for words that no command and no plugin takes, with what was probably meant (P7). */
export const unknownCommand = (
  {at, words}: UnknownWords,
  table: CommandTable,
  {plugins, registry}: KnownPlugins,
): JpError => {
  const group = at === '' ? [] : at.split(':')
  const word = words[group.length] ?? ''
  const known = new Set([
    ...table.childrenOf(at),
    ...(at === '' ? Object.keys(wordAliases).filter((alias) => alias.length > 1) : []),
    ...plugins.flatMap((plugin) => childOfClaim(statedClaim(plugin) ?? [], group)),
  ])
  const near = nearest(word, known)
  const command = (last: string): string => ['jp', ...group, last].join(' ')
  const hints = near === undefined ? [] : [`Did you mean "${command(near)}"?`]
  const offered = registry.find(({claim}) => claim.every((claimed, index) => claimed === words[index]))
  if (offered !== undefined) hints.push(`A plugin has it: jp plugins install ${offered.id}`)
  if (at === '' && looksLikeQuestion(words)) hints.push(`To ask the assistant: jp query ${quoted(words.join(' '))}`)
  if (hints.length === 0) hints.push(`See "${['jp', ...group, '--help'].join(' ')}" for what there is.`)
  return new JpError('command_not_found', `There is no command "${command(word)}".`, {hint: hints.join('\n')})
}

/** The word of a claim that stands behind the group. */
const childOfClaim = (claim: readonly string[], group: readonly string[]): string[] => {
  const child = claim[group.length]
  return child !== undefined && group.every((word, index) => word === claim[index]) ? [child] : []
}

/** Three words and more, none of them a flag, or a question mark at the end. */
const looksLikeQuestion = (words: readonly string[]): boolean => {
  const text = words.join(' ')
  return text.endsWith('?') || (text.split(/\s+/).length >= 3 && !words.some((word) => word.startsWith('-')))
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
