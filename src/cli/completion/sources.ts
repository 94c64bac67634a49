import {selectLaunchCheckout} from '../../bootstrap/config-only.js'
import {createConversationStore} from '../../conversation/store.js'
import {listKnownWorkspaces} from '../../workspace/known-workspaces.js'
import {isLiveRoot} from '../../workspace/roots-registry.js'
import {findSilo, slugOf} from '../../workspace/silo.js'
import type {Invocation} from '../invocation.js'
import {pluginRows} from '../plugin-rows.js'
import type {Candidate, CompletionSources} from './complete.js'

/** How many conversations are offered, the newest first. */
const mostConversations = 200

/** The names on this machine. Each reads only: the config-only level of the bootstrap, listings, manifests. */
export const createSources = (invocation: Invocation): CompletionSources => ({
  async targets() {
    const workspaces = listKnownWorkspaces(invocation.directories.data, undefined)
    return workspaces.flatMap(({id, slug, roots}): Candidate[] => [
      {value: id, text: slug ?? ''},
      ...(roots.length > 1 ? roots.map(({path}) => ({value: `${id}@${slugOf(path)}`, text: path})) : []),
    ])
  },
  async conversations() {
    const selected = await selectLaunchCheckout(invocation)
    if (selected === undefined) return []
    const {id, root} = selected.checkout
    const store = createConversationStore({
      root,
      silo: findSilo(invocation.directories.data, id, slugOf(root)),
      clock: invocation.clock,
      pid: invocation.environment.pid,
      isLive: (path) => isLiveRoot(id, path),
    })
    const {entries} = store.list()
    return entries
      .slice(-mostConversations)
      .reverse()
      .map(({listed}) => ({value: listed.id, text: listed.title ?? ''}))
  },
  async configKeys() {
    const {schemaRows} = await import('../../config/schema-rows.js')
    return schemaRows().map(({path, about}) => ({value: path.replace(/<.*/, ''), text: about}))
  },
  async pluginWords(words) {
    const depth = words.length
    const rows = pluginRows(words.join(':'), invocation).map(([claim, text]) => ({claim: claim.split(' '), text}))
    const next = new Map(rows.map(({claim, text}) => [claim[depth] ?? '', claim.length === depth + 1 ? text : '']))
    return [...next].map(([value, text]) => ({value, text}))
  },
})
