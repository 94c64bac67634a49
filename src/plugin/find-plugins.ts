import {canonicalIfPresent} from '../platform/contained-path.js'
import type {Approvals} from './approvals.js'
import {findExecutables, type SearchPlace} from './executables.js'
import {findPackages} from './packages.js'
import type {Plugin} from './plugin.js'

/**
 * Every plugin that can be reached from here. A file without a manifest has the facts that its approval recorded for
 * this path; whether its bytes are still those is checked before it runs (S4).
 */
export const findPlugins = (place: SearchPlace, approvals: Approvals): Plugin[] =>
  [...findExecutables(place), ...findPackages(place)].map((plugin) => {
    if (plugin.facts.state !== 'absent') return plugin
    const approval = approvals.byName.get(plugin.name)
    if (approval?.manifest === undefined || approval.path !== canonicalIfPresent(plugin.origin.path)) return plugin
    return {...plugin, facts: {state: 'recorded', manifest: approval.manifest}}
  })
