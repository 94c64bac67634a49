import type {Launch} from '../bootstrap/launch.js'
import {openConversations} from '../bootstrap/open-conversations.js'
import type {ConfigPlace} from '../config/layers.js'
import {type Resolution, resolveConfiguration} from '../config/pipeline.js'
import {listNamedConfigurations} from '../config/search.js'
import type {OpenWorkspace, WorkspacePlace} from './host/open-workspace.js'
import {createWorkspaceConfiguration} from './host/workspace-configuration.js'

/** How the configuration of a place is resolved. */
export type ConfigurationSource = {
  readonly cfg: readonly string[]
  /** What was resolved already, and is kept until it is asked for anew (S11). Without it every read is fresh. */
  readonly initial?: Resolution
}

/** The place, as the configuration asks for it. */
export const configPlaceOf = (
  {directories, environment}: Launch,
  place: Pick<WorkspacePlace, 'silo' | 'configCwd'> & {readonly checkout: WorkspacePlace['checkout'] | undefined},
): ConfigPlace => ({
  directories,
  checkoutRoot: place.checkout?.root,
  configCwd: place.configCwd,
  silo: place.silo,
  env: environment.env,
})

/** One checkout, opened for a plugin's requests. Reads and writes nothing yet. */
export const workspaceAt = (launch: Launch, place: WorkspacePlace, source: ConfigurationSource): OpenWorkspace => {
  const {checkout, silo, configCwd, launchCwd} = place
  const configPlace = configPlaceOf(launch, place)
  const resolve = (): Promise<Resolution> => resolveConfiguration(configPlace, {launchCwd, cfg: source.cfg})
  return {
    checkout,
    silo,
    configCwd,
    launchCwd,
    store: openConversations(place, {...launch, isLongLived: true}),
    configuration: createWorkspaceConfiguration({
      resolve: async () => (await resolve()).baseConfig,
      listNamed: async () => listNamedConfigurations(configPlace, (await resolve()).config.config_load_paths),
      isFixed: source.initial !== undefined,
      ...(source.initial === undefined ? {} : {initial: source.initial.baseConfig}),
    }),
  }
}
