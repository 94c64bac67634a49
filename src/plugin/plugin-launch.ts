import {join} from 'node:path'
import {selectLaunchCheckout} from '../bootstrap/config-only.js'
import {loadCheckout, openCheckout} from '../bootstrap/open-checkout.js'
import {type Resolution, resolveConfiguration} from '../config/pipeline.js'
import type {Configuration} from '../config/schema.js'
import type {ToPluginOf} from '../protocol/host-to-plugin.js'
import {storageName} from '../workspace/checkout.js'
import {type ListedWorkspace, listKnownWorkspaces} from '../workspace/known-workspaces.js'
import {findSilo, slugOf} from '../workspace/silo.js'
import {type Addressing, multiAddressing, singleAddressing} from './host/addressing.js'
import {createOpenWorkspaces, type OpenWorkspaces} from './host/open-workspace.js'
import {type PluginSettings, pluginSettings} from './launch-configuration.js'
import {manifestOf, type Plugin} from './plugin.js'
import type {PluginFrontend} from './run-plugin.js'
import {configPlaceOf, workspaceAt} from './workspace-at.js'

/** What a plugin's scope comes to, before the plugin is admitted. */
export type PluginLaunch = {
  readonly settings: PluginSettings
  /** How MCP servers are kept running. */
  readonly mcp: Configuration['mcp']
  /** The editor for longer texts. */
  readonly editor: Configuration['editor']
  /** What there is to say about the configuration. */
  readonly notices: readonly string[]
  /** The working directory of the plugin. */
  readonly cwd: string
  /** The fields of `init` that the scope decides: what a scope does not get is not in the message (S10). */
  readonly initFields: Pick<ToPluginOf<'init'>, 'workspace' | 'paths' | 'config'>
  readonly addressing: Addressing
  readonly workspaces: OpenWorkspaces
  /** Undefined for a single-scope plugin. */
  readonly listWorkspaces: (() => readonly ListedWorkspace[]) | undefined
}

/** Opens what the scope asks for, and nothing else (S6, S7). */
export const openLaunch = (frontend: PluginFrontend, plugin: Plugin): Promise<PluginLaunch> =>
  manifestOf(plugin)?.scope === 'multi' ? openMulti(frontend, plugin) : openSingle(frontend, plugin)

/** `single`: the full bootstrap, with its questions; requests are about the checkout that it chose (S6). */
const openSingle = async ({launch, cfg}: PluginFrontend, plugin: Plugin): Promise<PluginLaunch> => {
  const context = await openCheckout('load', launch)
  const {checkout, silo} = context
  const resolution = await resolveConfiguration(configPlaceOf(launch, context), {launchCwd: context.launchCwd, cfg})
  const workspace = workspaceAt(launch, context, {cfg, initial: resolution})
  return {
    ...settingsOf(resolution, plugin),
    cwd: context.childCwd ?? context.launchCwd,
    initFields: {
      workspace: {root: checkout.root, storage: join(checkout.root, storageName), id: checkout.id},
      paths: {
        user_data: launch.directories.data,
        user_config: launch.directories.config,
        ...(silo === undefined ? {} : {user_workspace: silo}),
      },
      config: {...resolution.baseConfig},
    },
    addressing: singleAddressing(checkout),
    workspaces: createOpenWorkspaces(() => Promise.resolve(workspace)),
    listWorkspaces: undefined,
  }
}

/**
 * `multi`: the configuration of the launch, and no workspace to operate on: nothing is asked, created or touched (S7).
 * Checkouts are opened when they are addressed. Nothing that the plugin is given names the launch workspace (S9).
 */
const openMulti = async ({launch, cfg}: PluginFrontend, plugin: Plugin): Promise<PluginLaunch> => {
  const {directories, environment} = launch
  const selected = await selectLaunchCheckout(launch)
  const checkout = selected?.checkout
  const silo = checkout === undefined ? undefined : findSilo(directories.data, checkout.id, slugOf(checkout.root))
  const configCwd = selected?.configCwd ?? environment.cwd
  const place = configPlaceOf(launch, {checkout, silo, configCwd})
  const resolution = await resolveConfiguration(place, {launchCwd: environment.cwd, cfg})
  return {
    ...settingsOf(resolution, plugin),
    cwd: environment.cwd,
    initFields: {paths: {user_data: directories.data, user_config: directories.config}},
    addressing: multiAddressing(directories.data),
    workspaces: createOpenWorkspaces(async (addressed) => {
      const {checkout: opened, silo: opensSilo} = loadCheckout(addressed, launch)
      const {root} = opened
      return workspaceAt(launch, {checkout: opened, silo: opensSilo, configCwd: root, launchCwd: root}, {cfg: []})
    }),
    listWorkspaces: () => listKnownWorkspaces(directories.data, checkout?.id),
  }
}

const settingsOf = (
  resolution: Resolution,
  plugin: Plugin,
): Pick<PluginLaunch, 'settings' | 'notices' | 'mcp' | 'editor'> => ({
  mcp: resolution.config.mcp,
  editor: resolution.config.editor,
  settings: pluginSettings(resolution, plugin.name),
  notices: resolution.notices.map((notice) => notice.text),
})
