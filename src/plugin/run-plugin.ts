import type {Launch} from '../bootstrap/launch.js'
import {stayLean} from '../platform/memory.js'
import type {Prompter} from '../platform/prompter.js'
import type {Trace} from '../platform/trace.js'
import type {ToPluginOf} from '../protocol/host-to-plugin.js'
import type {ToHostOf} from '../protocol/plugin-to-host.js'
import {type AdmittedPlugin, admitPlugin, refuseUnusable} from './admit.js'
import type {ApprovalStore} from './approvals.js'
import {askApproval} from './ask-approval.js'
import {createDelegation} from './delegation.js'
import {createAnswerer} from './host/answerer.js'
import {compose} from './host/compose.js'
import {runSession, type SessionEnd} from './host/session.js'
import {type PluginProgram, startPlugin} from './host/start-plugin.js'
import {hostProtocol} from './manifest.js'
import {openLaunch, type PluginLaunch} from './plugin-launch.js'
import type {Route} from './routing.js'

/** What a run of a plugin takes from the frontend that was asked for it. */
export type PluginFrontend = {
  readonly launch: Launch
  /** The `--cfg` arguments of the command line. */
  readonly cfg: readonly string[]
  readonly approvals: ApprovalStore
  /** Undefined where nobody can be asked. */
  readonly prompter: Prompter | undefined
  readonly trace: Trace
  readonly logLevel: number
  /** The version of jp, as MCP servers are told. */
  readonly version: string
  readonly outputFormat: ToPluginOf<'init'>['output_format']
  /** Has a text written in the user's editor, as a message of `jp query`; undefined when there is no editor. */
  edit(text: string, editor: PluginLaunch['editor'], cwd: string): Promise<string | undefined>
  print(message: ToHostOf<'print'>): Promise<void>
  /** A line on stderr. */
  note(text: string): void
  /** A warning on stderr. */
  warn(text: string): void
  /** Aborted when the run should end: the plugin is sent `shutdown`, its turns stop. */
  readonly stop: AbortSignal
  /** Aborted when it should end at once. */
  readonly kill: AbortSignal
}

/**
 * Runs a plugin, in the order that lets nothing of it run before it is admitted, and admits it once, under the
 * configuration that governs its run (S8): its manifest is usable; its scope decides what is opened; then it is admitted
 * and started. The turns that it delegated are waited for (S31).
 * @throws JpError as the bootstrap, the configuration and {@link admitPlugin}.
 */
export const runPlugin = async (frontend: PluginFrontend, route: Route): Promise<SessionEnd> => {
  refuseUnusable(route.plugin)
  const launch = await openLaunch(frontend, route.plugin)
  for (const notice of launch.notices) frontend.warn(notice)
  const admitted = await admit(frontend, route, launch)
  return converse(frontend, {admitted, launch, args: route.args})
}

/**
 * Asks a plugin for its help: it is admitted as for a run, and what it says must agree with its manifest (P10, S3).
 * @throws JpError as {@link runPlugin}, and `plugin_misbehaved`.
 */
export const askPluginForHelp = async (frontend: PluginFrontend, route: Route): Promise<string> => {
  refuseUnusable(route.plugin)
  const launch = await openLaunch(frontend, route.plugin)
  for (const notice of launch.notices) frontend.warn(notice)
  const admitted = await admit(frontend, route, launch)
  const {describeAgainst} = await import('./host/describe.js')
  const {environment} = frontend.launch
  return (await describeAgainst(admitted.manifest, programOf(admitted, launch), environment)).help
}

const admit = (
  frontend: PluginFrontend,
  {plugin, replaces}: Route,
  {settings}: PluginLaunch,
): Promise<AdmittedPlugin> => {
  const {approvals, prompter, launch} = frontend
  return admitPlugin(
    {
      approvals,
      cacheDirectory: launch.directories.cache,
      dataDirectory: launch.directories.data,
      replaces,
      pid: launch.environment.pid,
      nowMs: launch.clock.nowMs(),
      ask: prompter === undefined ? undefined : (question) => askApproval(prompter, question),
      warn: (text) => frontend.warn(text),
    },
    plugin,
    settings.policy,
  )
}

type Admission = {
  readonly admitted: AdmittedPlugin
  readonly launch: PluginLaunch
  readonly args: readonly string[]
}

const converse = async (frontend: PluginFrontend, {admitted, launch, args}: Admission): Promise<SessionEnd> => {
  const {environment, clock} = frontend.launch
  const child = await startPlugin(programOf(admitted, launch), environment)
  // Loaded while the plugin reads its `init`.
  const reader = import('../protocol/read-plugin-line.js')
  const delegation = createDelegation(frontend, admitted.manifest.scope, launch)
  const composeDeps = {
    prompter: frontend.prompter,
    edit: (text: string) => frontend.edit(text, launch.editor, launch.cwd),
    note: (text: string) => frontend.note(text),
  }
  const session = runSession({
    name: admitted.plugin.name,
    child,
    init: initMessage(frontend, launch, args),
    answerer: (outbox, gone) =>
      createAnswerer({
        addressing: launch.addressing,
        workspaces: launch.workspaces,
        turns: delegation.turnsFor(outbox),
        compose: (message) => compose(composeDeps, message, gone),
        listWorkspaces: launch.listWorkspaces,
        clock,
        pid: environment.pid,
        trace: frontend.trace,
        outbox,
      }),
    print: (message) => frontend.print(message),
    trace: frontend.trace,
    notice: (text) => frontend.warn(text),
    stop: frontend.stop,
    kill: frontend.kill,
    shutdownMs: launch.settings.shutdownMs,
    readLine: async (text) => (await reader).readPluginLine(text),
  })
  // `init` is on its way.
  stayLean()
  const end = await session
  await delegation.settled()
  return end
}

const programOf = ({plugin, program}: AdmittedPlugin, {cwd}: PluginLaunch): PluginProgram => ({
  name: plugin.name,
  program,
  cwd,
})

/** The fields by scope (S10): what a scope does not get is not in the message. */
const initMessage = (
  {logLevel, outputFormat}: PluginFrontend,
  launch: PluginLaunch,
  args: readonly string[],
): ToPluginOf<'init'> => ({
  type: 'init',
  version: hostProtocol,
  ...launch.initFields,
  ...(launch.settings.options === undefined ? {} : {options: launch.settings.options}),
  args: [...args],
  log_level: logLevel,
  output_format: outputFormat,
})
