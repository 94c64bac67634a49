import {createBackgroundTasks} from '../turn/background-tasks.js'
import {createLazyPool} from '../turn/lazy-pool.js'
import {createDelegatedTurns, type DelegatedTurns} from './host/delegated-turns.js'
import type {Outbox} from './host/outbox.js'
import type {WorkspaceScope} from './manifest.js'
import type {PluginLaunch} from './plugin-launch.js'
import type {PluginFrontend} from './run-plugin.js'

/** The turns of one run of a plugin, with the servers that they lease and the titles that are made beside them. */
export interface Delegation {
  /** Creates the turns, which answer through this outbox. Called once. */
  turnsFor(outbox: Outbox): DelegatedTurns
  /** Settles when every turn has ended, with its title, and every server has stopped. */
  settled(): Promise<void>
}

/** They outlive the plugin (S31), and one stop ends all of them (S34). */
export const createDelegation = (frontend: PluginFrontend, scope: WorkspaceScope, launch: PluginLaunch): Delegation => {
  const {version, trace} = frontend
  const {directories, environment} = frontend.launch
  const onNotice = (text: string): void => trace.write('warn', 'mcp', text)
  const servers = createLazyPool({version, directories, environment, onNotice})
  const tasks = createBackgroundTasks((text) => frontend.warn(text))
  const deps = {launch: frontend.launch, scope, trace, tasks, pool: () => servers.pool(launch.mcp)}
  let turns: DelegatedTurns | undefined
  const stopAll = (): void => {
    turns?.stopAll()
    tasks.cancelAll()
  }
  frontend.stop.addEventListener('abort', stopAll, {once: true})
  return {
    turnsFor(outbox) {
      turns = createDelegatedTurns(async (workspace, query) => {
        const {createPrepareTurn} = await import('./ready-turn.js')
        return createPrepareTurn(deps)(workspace, query)
      }, outbox)
      if (frontend.stop.aborted) stopAll()
      return turns
    },
    async settled() {
      await turns?.settled()
      frontend.stop.removeEventListener('abort', stopAll)
      await servers.close()
    },
  }
}
