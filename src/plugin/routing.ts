import {JpError} from '../errors/jp-error.js'
import {type BuiltIns, unreachableClaim} from './builtins.js'
import {type Plugin, placeOf, statedClaim} from './plugin.js'

/** A plugin that takes a command line. */
export type Route = {
  readonly plugin: Plugin
  /** The words that name it: the claim, or the words of its file name when it states none. */
  readonly claim: readonly string[]
  /** Everything after the claim, untouched (FR-57). */
  readonly args: readonly string[]
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
    .sort((left, right) => right.claim.length - left.claim.length || stated(right.plugin) - stated(left.plugin))
  const winner = claimants[0]
  if (winner === undefined) return undefined
  const rival = claimants
    .slice(1)
    .find(({plugin, claim}) => claim.length === winner.claim.length && stated(plugin) >= stated(winner.plugin))
  if (rival !== undefined)
    throw clash(`"jp ${winner.claim.join(' ')}" is claimed by two plugins`, winner.plugin, rival.plugin)
  const namesake = plugins.find((plugin) => plugin !== winner.plugin && plugin.name === winner.plugin.name)
  if (namesake !== undefined) throw clash(`Two plugins are named "${winner.plugin.name}"`, winner.plugin, namesake)
  return {...winner, args: words.slice(winner.claim.length)}
}

/** A claim that the plugin states counts before one that is only guessed from its name. */
const stated = (plugin: Plugin): number => (statedClaim(plugin) === undefined ? 0 : 1)

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
