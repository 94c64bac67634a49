import {isAbsolute} from 'node:path'
import {isInside} from '../platform/contained-path.js'

/** The variables of an environment. */
export type Variables = Readonly<Record<string, string | undefined>>

/** What the environment of a child is made from, most general first (D8). */
export type EnvironmentSources = {
  /** What the daemon was started with. Never changed. */
  readonly base: Variables
  /** The workspace's `.env`. */
  readonly dotenv: Variables
  /** `serve.env.<NAME>` of its settings. */
  readonly settings: Variables
  /** The canonical root of the workspace: where the child runs. */
  readonly root: string
  /** The roots of the daemon's other workspaces. */
  readonly otherRoots: readonly string[]
}

/** The daemon's own secrets: no child needs them. */
const ownSecrets = ['JP_SERVER_TOKEN', 'QWEN_SERVER_TOKEN']

/** Code that a runtime would load by itself, and what a package manager left behind: never handed on, not even from the base. */
const loaders = /^(?:NODE_OPTIONS|NODE_PATH|NODE_V8_COVERAGE|LD_.*|DYLD_.*|BASH_ENV|ENV|INIT_CWD|OLDPWD|npm_.*)$/

/** What a workspace may not set: where jp and its user are, what is loaded into a child, and where requests go. */
const reserved = /^(?:HOME|USERPROFILE|PATH|PWD|SHELL|XDG_.*|JP_.*|(?:https?|all|no|ftp)_proxy|NODE_USE_ENV_PROXY)$/i

/** True when `.env` and settings may set this variable. */
export const isSettable = (name: string): boolean =>
  /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !reserved.test(name) && !loaders.test(name) && !ownSecrets.includes(name)

/** The settable part of what a workspace says. */
export const settable = (variables: Variables): Record<string, string> =>
  Object.fromEntries(
    Object.entries(variables).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && isSettable(entry[0]),
    ),
  )

/** The whole environment of a workspace's child. Computed as data: the daemon's own stays as it is. */
export const childEnvironment = (sources: EnvironmentSources): Readonly<Record<string, string>> => {
  const kept = Object.entries(sources.base).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && !loaders.test(entry[0]) && !ownSecrets.includes(entry[0]),
  )
  const base = Object.fromEntries(kept)
  const path = base['PATH']
  return {
    ...base,
    ...(path === undefined ? {} : {PATH: withoutRoots(path, sources.otherRoots)}),
    ...settable(sources.dotenv),
    ...settable(sources.settings),
    PWD: sources.root,
  }
}

/** A search path without what lies in another workspace: one may have been put in front where the daemon was started. */
const withoutRoots = (path: string, roots: readonly string[]): string =>
  path
    .split(':')
    .filter((folder) => !(isAbsolute(folder) && roots.some((root) => isInside(root, folder))))
    .join(':')
