import {join} from 'node:path'
import type {ExecutionContext} from '../bootstrap/execution-context.js'
import {openCheckout} from '../bootstrap/open-checkout.js'
import type {ConfigPlace} from '../config/layers.js'
import {type Resolution, resolveConfiguration} from '../config/pipeline.js'
import {listNamedConfigurations} from '../config/search.js'
import {createConversationStore} from '../conversation/store.js'
import {JpError} from '../errors/jp-error.js'
import type {ToPluginOf} from '../protocol/host-to-plugin.js'
import {storageName} from '../workspace/checkout.js'
import type {ListedWorkspace} from '../workspace/known-workspaces.js'
import {isLiveRoot} from '../workspace/roots-registry.js'
import {type Addressing, singleAddressing} from './host/addressing.js'
import {createDelegatedTurns, type DelegatedTurns} from './host/delegated-turns.js'
import {createOpenWorkspaces, type OpenWorkspaces} from './host/open-workspace.js'
import type {Outbox} from './host/outbox.js'
import {createWorkspaceConfiguration} from './host/workspace-configuration.js'
import {type PluginSettings, pluginSettings} from './launch-configuration.js'
import {hostProtocol} from './manifest.js'
import type {Plugin} from './plugin.js'
import type {PluginFrontend} from './run-plugin.js'

/** What a plugin's scope comes to, before the plugin is admitted. */
export type PluginLaunch = {
  readonly protocol: number
  readonly settings: PluginSettings
  /** What there is to say about the configuration. */
  readonly notices: readonly string[]
  /** The working directory of the plugin. */
  readonly cwd: string
  /** The fields of `init` that the scope decides (S10). */
  readonly initFields: Pick<ToPluginOf<'init'>, 'workspace' | 'paths' | 'config'>
  readonly addressing: Addressing
  readonly workspaces: OpenWorkspaces
  turnsFor(outbox: Outbox): DelegatedTurns
  /** Undefined for a single-scope plugin. */
  readonly listWorkspaces: (() => readonly ListedWorkspace[]) | undefined
  /** Settles when no delegated turn runs. */
  settled(): Promise<void>
}

/** Opens what the scope asks for: the full bootstrap for `single` (S6). */
export const openLaunch = async (frontend: PluginFrontend, plugin: Plugin): Promise<PluginLaunch> => {
  const context = await openCheckout('load', frontend.launch)
  const place = configPlace(frontend, context)
  const resolve = (): Promise<Resolution> =>
    resolveConfiguration(place, {launchCwd: context.launchCwd, cfg: frontend.cfg})
  const resolution = await resolve()
  const {checkout, silo} = context
  const {directories, environment, clock} = frontend.launch
  const workspace = {
    checkout,
    silo,
    store: createConversationStore({
      root: checkout.root,
      silo,
      clock,
      pid: environment.pid,
      isLive: (root) => isLiveRoot(checkout.id, root),
    }),
    configuration: createWorkspaceConfiguration({
      resolve: async () => (await resolve()).baseConfig,
      listNamed: async () => listNamedConfigurations(place, (await resolve()).config.config_load_paths),
      isFixed: true,
      initial: resolution.baseConfig,
    }),
  }
  let turns: DelegatedTurns | undefined
  return {
    protocol: hostProtocol,
    settings: pluginSettings(resolution, plugin.name),
    notices: resolution.notices.map((notice) => notice.text),
    cwd: context.childCwd ?? context.launchCwd,
    initFields: {
      workspace: {root: checkout.root, storage: join(checkout.root, storageName), id: checkout.id},
      paths: {
        user_data: directories.data,
        user_config: directories.config,
        ...(silo === undefined ? {} : {user_workspace: silo}),
      },
      config: {...resolution.baseConfig},
    },
    addressing: singleAddressing(checkout),
    workspaces: createOpenWorkspaces(() => Promise.resolve(workspace), [workspace]),
    turnsFor(outbox) {
      turns ??= createDelegatedTurns(() => {
        throw new JpError('request_unknown', `This jp speaks protocol ${hostProtocol}: it runs no turns for plugins.`)
      }, outbox)
      return turns
    },
    listWorkspaces: undefined,
    settled: async () => turns?.settled(),
  }
}

const configPlace = ({launch}: PluginFrontend, context: ExecutionContext): ConfigPlace => ({
  directories: launch.directories,
  checkoutRoot: context.checkout.root,
  configCwd: context.configCwd,
  silo: context.silo,
  env: launch.environment.env,
})
