import {isAbsolute, join} from 'node:path'
import {type HostEnvironment, variable} from './host-environment.js'

/** The four per-user folders of jp (W2). None is created by asking for its name. */
export type UserDirectories = {
  /** Durable state: workspaces, sessions, approvals. `$JP_USER_DATA_DIR` is used as it is. */
  readonly data: string
  /** The user-global configuration. */
  readonly config: string
  /** What can be rebuilt: compile cache, indexes, private copies of executables. */
  readonly cache: string
  /** Logs. */
  readonly state: string
}

/** The folders for this environment: `$JP_*` first, then XDG (absolute values only), then the platform's own. */
export const userDirectories = (environment: HostEnvironment): UserDirectories => {
  const home = environment.homeDir
  const xdg = (name: string): string | undefined => {
    const value = variable(environment, name)
    return value !== undefined && isAbsolute(value) ? join(value, 'jp') : undefined
  }
  const platform = platformDirectories(environment)
  return {
    data: variable(environment, 'JP_USER_DATA_DIR') ?? xdg('XDG_DATA_HOME') ?? platform.data,
    config:
      expandHome(variable(environment, 'JP_GLOBAL_CONFIG_DIR'), home) ?? xdg('XDG_CONFIG_HOME') ?? platform.config,
    cache: xdg('XDG_CACHE_HOME') ?? platform.cache,
    state: xdg('XDG_STATE_HOME') ?? platform.state,
  }
}

const platformDirectories = (environment: HostEnvironment): UserDirectories => {
  const home = environment.homeDir
  if (environment.platform === 'darwin') {
    const support = join(home, 'Library', 'Application Support', 'jp')
    return {
      data: support,
      config: support,
      cache: join(home, 'Library', 'Caches', 'jp'),
      state: join(home, 'Library', 'Logs', 'jp'),
    }
  }
  if (environment.platform === 'win32') {
    const local = join(variable(environment, 'LOCALAPPDATA') ?? join(home, 'AppData', 'Local'), 'jp')
    const roaming = join(variable(environment, 'APPDATA') ?? join(home, 'AppData', 'Roaming'), 'jp')
    return {
      data: join(local, 'data'),
      config: join(roaming, 'config'),
      cache: join(local, 'cache'),
      state: join(local, 'state'),
    }
  }
  return {
    data: join(home, '.local', 'share', 'jp'),
    config: join(home, '.config', 'jp'),
    cache: join(home, '.cache', 'jp'),
    state: join(home, '.local', 'state', 'jp'),
  }
}

const expandHome = (value: string | undefined, home: string): string | undefined => {
  if (value === '~') return home
  return value?.startsWith('~/') ? join(home, value.slice(2)) : value
}
