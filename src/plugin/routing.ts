import {JpError} from '../errors/jp-error.js'
import {type BuiltIns, unreachableClaim} from './builtins.js'
import {isOfficial, type Plugin, placeOf, statedClaim} from './plugin.js'

/** A plugin that takes a command line. */
export type Route = {
  readonly plugin: Plugin
  /** The words that name it: the claim, or the words of its file name when it states none. */
  readonly claim: readonly string[]
  /** Everything after the claim, untouched (FR-57). */
  readonly args: readonly string[]
  /** The official plugin whose place it takes (P6); undefined when there is none, or it is official itself. */
  readonly replaces: string | undefined
}

/**
 * Chooses the plugin for a command line that no built-in command takes: the longest claim that is a prefix of the words
 * (P6). A file without a usable manifest is found by the words of its name, so that its error can be told.
 * @returns undefined when no plugin has anything to do with it.
 * @throws JpError `plugin_clash`, naming both.
 */
export const routeToPlugin = (
  words: readonly string[],
  plugins: readonly Plugin[],
  builtIns: BuiltIns,
): Route | undefined => {
  const claimants = plugins
    .map((plugin) => ({plugin, claim: claimOf(plugin, words)}))
    .filter(
      ({claim}) => claim !== undefined && isPrefix(claim, words) && unreachableClaim(claim, builtIns) === undefined,
    )
    .map(({plugin, claim}) => ({plugin, claim: claim ?? []}))
    .sort((left, right) => right.claim.length - left.claim.length || rank(right.plugin) - rank(left.plugin))
  const winner = claimants[0]
  if (winner === undefined) return undefined
  const rival = claimants
    .slice(1)
    .find(({plugin, claim}) => claim.length === winner.claim.length && rank(plugin) >= rank(winner.plugin))
  if (rival !== undefined)
    throw clash(`"jp ${winner.claim.join(' ')}" is claimed by two plugins`, winner.plugin, rival.plugin)
  const namesakes = plugins.filter((plugin) => plugin !== winner.plugin && plugin.name === winner.plugin.name)
  const namesake = namesakes.find((plugin) => !isOfficial(plugin))
  if (namesake !== undefined) throw clash(`Two plugins are named "${winner.plugin.name}"`, winner.plugin, namesake)
  const replaced = isOfficial(winner.plugin) ? undefined : namesakes.find(isOfficial)
  return {...winner, args: words.slice(winner.claim.length), replaces: replaced?.name}
}

/** A claim that the plugin states counts before one that is only guessed from its name; a third party before us (P6). */
const rank = (plugin: Plugin): number => (statedClaim(plugin) === undefined ? 0 : isOfficial(plugin) ? 1 : 2)

const claimOf = (plugin: Plugin, words: readonly string[]): readonly string[] | undefined =>
  statedClaim(plugin) ?? wordsOfName(plugin.name, words)

/** `serve-web` is reached by `serve web` and by `serve-web`. */
const wordsOfName = (name: string, words: readonly string[]): readonly string[] | undefined => {
  for (let length = 1; length <= words.length; length++) {
    const candidate = words.slice(0, length)
    if (candidate.join('-') === name) return candidate
    if (!name.startsWith(`${candidate.join('-')}-`)) return undefined
  }
  return undefined
}

const isPrefix = (claim: readonly string[], words: readonly string[]): boolean =>
  claim.length <= words.length && claim.every((word, index) => word === words[index])

const clash = (what: string, left: Plugin, right: Plugin): JpError =>
  new JpError('plugin_clash', `${what}: ${placeOf(left)} and ${placeOf(right)}.`, {
    hint: 'Remove or rename one of them, or take its folder off $PATH. Nothing was run.',
  })
