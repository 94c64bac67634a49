import {createApprovalStore} from '../plugin/approvals.js'
import {unreachableClaim} from '../plugin/builtins.js'
import {findPlugins} from '../plugin/find-plugins.js'
import {officialFor, readOfficialRegistry} from '../plugin/install/official-registry.js'
import {manifestOf} from '../plugin/plugin.js'
import {routeToPlugin} from '../plugin/routing.js'
import {builtInsOf} from './built-ins.js'
import {childId} from './command-table.js'
import type {Invocation} from './invocation.js'
import {cell} from './output.js'

/**
 * The plugins below a group (`''` is jp itself) for its help: claim and description. Reads manifests, runs nothing (P9).
 */
export const pluginRows = (id: string, invocation: Invocation): [claim: string, description: string][] => {
  const {environment, directories, clock, commands} = invocation
  const approvals = createApprovalStore({dataDirectory: directories.data, clock, pid: environment.pid})
  const group = id === '' ? [] : id.split(':')
  const found = findPlugins({environment, directories, nowMs: clock.nowMs()}, approvals.read()).flatMap(
    (plugin) => manifestOf(plugin) ?? [],
  )
  const isFound = (claim: readonly string[]): boolean =>
    found.some(({command}) => command.join(' ') === claim.join(' '))
  const offered = readOfficialRegistry({dataDirectory: directories.data})
    .filter(({official, claim}) => official && !isFound(claim))
    .map(({claim, description}) => ({command: claim, description: `${description} (not installed)`}))
  return [...found, ...offered]
    .filter(({command}) => command.length > group.length && group.every((word, index) => word === command[index]))
    .filter(({command}) => unreachableClaim(command, builtInsOf(commands)) === undefined)
    .map(({command, description}): [string, string] => [cell(command.join(' ')), cell(description)])
    .sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0))
}

/**
 * The group that words of a plugin lie in, be it an official one that is not installed yet (P8); undefined when they name none.
 * Runs nothing.
 */
export const reachedPlugin = (words: readonly string[], invocation: Invocation): {readonly at: string} | undefined => {
  const {environment, directories, clock, commands} = invocation
  const approvals = createApprovalStore({dataDirectory: directories.data, clock, pid: environment.pid})
  const plugins = findPlugins({environment, directories, nowMs: clock.nowMs()}, approvals.read())
  const [group = '', ...rest] = words
  const id = childId('', group)
  const at = rest.length > 0 && commands.isTopic(id) ? id : ''
  const spelled = at === '' ? words : [at, ...rest]
  const isReached =
    routeToPlugin(spelled, plugins, builtInsOf(commands)) !== undefined ||
    officialFor(spelled, readOfficialRegistry({dataDirectory: directories.data}), 0) !== undefined
  return isReached ? {at} : undefined
}
