import {parseEnv} from 'node:util'
import {splitCommandLine} from '../platform/command-line.js'
import {resolveInside} from '../platform/contained-path.js'
import type {UserDirectories} from '../platform/directories.js'
import {readTextIfPresent} from '../platform/files.js'
import type {Trace} from '../platform/trace.js'
import type {Checkout} from '../workspace/checkout.js'
import {findSilo, slugOf} from '../workspace/silo.js'
import {childEnvironment, settable, type Variables} from './environment.js'

/** A program with its arguments. */
export type AgentCommand = {readonly command: string; readonly args: readonly string[]}

/** What a workspace says of its agent. */
export type WorkspaceSettings = {
  /** `serve.agent.command`; undefined for jp's own agent. */
  readonly agent: AgentCommand | undefined
  /** The whole environment of a child that starts now (D8). */
  readonly env: Readonly<Record<string, string>>
  /** What of it came from the workspace: it must not be told elsewhere. */
  readonly own: Readonly<Record<string, string>>
}

/** What reading settings stands on. */
export type SettingsPlace = {
  readonly checkout: Checkout
  readonly directories: UserDirectories
  readonly base: Variables
  readonly otherRoots: readonly string[]
  /** `--cfg` of the command line. */
  readonly cfg: readonly string[]
  /** Its `.env` counts; guarded settings are looked up setting by setting. */
  readonly trusted: boolean
  readonly log: Trace
}

/**
 * Reads what a workspace says of its agent, as it stands now. Changes nothing, the environment of this process least of
 * all. Never called for an untrusted workspace that is not the primary: nothing of one is read (D9).
 * @throws JpError as `resolveConfiguration`, and `usage` for a command that can't be split.
 */
export const readWorkspaceSettings = async (place: SettingsPlace): Promise<WorkspaceSettings> => {
  const {checkout, directories, base, otherRoots} = place
  const {root} = checkout
  const dotenv = place.trusted ? settable(readDotenv(place)) : {}
  const {resolveConfiguration} = await import('../config/pipeline.js')
  const silo = findSilo(directories.data, checkout.id, slugOf(root))
  const {config} = await resolveConfiguration(
    {directories, checkoutRoot: root, configCwd: root, silo, env: {...base, ...dotenv}},
    {launchCwd: root, cfg: place.cfg},
  )
  const own = {...dotenv, ...settable(config.serve.env)}
  return {
    agent: commandOf(config.serve.agent.command),
    env: childEnvironment({base, dotenv, settings: config.serve.env, root, otherRoots}),
    own,
  }
}

/** The largest `.env` that is read. Unit: bytes. */
const maxDotenvBytes = 1024 * 1024

/** What can't be read counts as absent, and is said in the log: a workspace must not hang or end its daemon. */
const readDotenv = ({checkout: {root}, log}: SettingsPlace): Variables => {
  try {
    const text = readTextIfPresent(resolveInside(root, '.env'), {maxBytes: maxDotenvBytes})
    return text === undefined ? {} : parseEnv(text)
  } catch (error) {
    log.write('warn', 'environment', `.env is not read: ${error instanceof Error ? error.message : String(error)}`)
    return {}
  }
}

type ConfiguredCommand =
  | string
  | {readonly program: string; readonly args?: readonly string[] | undefined; readonly shell?: boolean | undefined}

const commandOf = (configured: ConfiguredCommand | undefined): AgentCommand | undefined => {
  if (configured === undefined) return undefined
  if (typeof configured === 'string') return agentCommandOf(configured)
  const {program, args = [], shell = false} = configured
  return shell ? {command: '/bin/sh', args: ['-c', [program, ...args].join(' ')]} : {command: program, args}
}

/** @throws JpError `usage`. */
export const agentCommandOf = (line: string): AgentCommand => {
  const [command, ...args] = splitCommandLine(line)
  return {command, args}
}
