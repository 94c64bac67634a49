import {type RunningDaemon, serve} from '../../src/daemon/serve.js'
import {type ServeFlags, serveOptions} from '../../src/daemon/serve-options.js'
import {systemClock} from '../../src/platform/clock.js'
import {userDirectories} from '../../src/platform/directories.js'
import {silentTrace, type Trace} from '../../src/platform/trace.js'
import {recordTrustUnder} from '../../src/workspace/trust.js'
import {exampleAgent} from './daemon.js'
import {launcher} from './jp.js'
import type {Scratch} from './scratch.js'

/** What a daemon in this process is started with. */
export type ServingOptions = {
  readonly workspaces: readonly string[]
  readonly flags?: ServeFlags
  readonly env?: Readonly<Record<string, string>>
  readonly log?: Trace
  /** jp's own agent, as it was built, over the echo model. */
  readonly own?: boolean
  readonly cfg?: readonly string[]
}

/** The token of every daemon in this process. */
export const servingToken = 'token-of-this-test'

/** Trusts the checkouts below these folders, as `jp w trust --under` does. */
export const trust = (scratch: Scratch, ...folders: readonly string[]): void => {
  for (const folder of folders) recordTrustUnder(scratch.data, folder, 0)
}

/** Starts a daemon in this process, over the example agent unless the flags name another. */
export const startServing = (
  scratch: Scratch,
  {workspaces, flags = {}, env = {}, log, own = false, cfg = []}: ServingOptions,
): Promise<RunningDaemon> => {
  if (own) scratch.write('home/.config/jp/config.toml', '[assistant.model]\nid = "echo/echo"\n')
  const environment = {
    env: {...scratch.env, ...env},
    cwd: scratch.path,
    homeDir: scratch.home,
    platform: process.platform,
    pid: process.pid,
  }
  return serve({
    options: serveOptions({
      port: '0',
      token: servingToken,
      ...(own ? {} : {agent: exampleAgent('--store', `${scratch.path}/store`)}),
      ...flags,
    }),
    launch: {
      environment,
      directories: userDirectories(environment),
      clock: systemClock,
      globals: {workspace: workspaces, noPersist: false},
      argv: ['serve'],
      prompter: undefined,
      output: {note: () => undefined, warn: () => undefined},
    },
    version: '0.0.0',
    openLog: () => log ?? silentTrace,
    cfg,
    ownAgent: (root, given) => ({
      command: process.execPath,
      args: [launcher, '-w', root, ...given.flatMap((argument) => ['--cfg', argument]), 'acp'],
    }),
    memory: () => ({rss: 0, heapUsed: 0}),
  })
}
