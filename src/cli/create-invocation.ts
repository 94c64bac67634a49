import {homedir} from 'node:os'
import {systemClock} from '../platform/clock.js'
import {userDirectories} from '../platform/directories.js'
import type {HostEnvironment} from '../platform/host-environment.js'
import {createRedactor} from '../platform/redact.js'
import {hasControllingTerminal} from '../platform/terminal.js'
import type {GlobalOptions} from './global-flags.js'
import type {Invocation} from './invocation.js'
import {openTrace} from './open-trace.js'
import {createOutput, type TextStream} from './output.js'
import {wantsColor} from './paint.js'
import {createPrompter} from './prompts.js'
import type {StandardStreams} from './standard-streams.js'

/** A removed folder has no path any more; the shell still knows what it was. */
const launchCwd = (): string => {
  try {
    return process.cwd()
  } catch {
    return process.env['PWD'] || '/'
  }
}

/** Reads `process` once and makes everything of a run that is not about a workspace. */
export const createInvocation = (
  globals: GlobalOptions,
  {
    streams,
    ...given
  }: Pick<Invocation, 'argv' | 'commands' | 'version' | 'ending'> & {readonly streams: StandardStreams},
): Invocation => {
  const environment: HostEnvironment = {
    env: process.env,
    cwd: launchCwd(),
    homeDir: process.env['HOME'] || homedir(),
    platform: process.platform,
    pid: process.pid,
  }
  const forbidden = globals.nonInteractive || ['1', 'true'].includes(environment.env['JP_NON_INTERACTIVE'] ?? '')
  const color = ({isTTY = false}: TextStream): boolean =>
    wantsColor({env: environment.env, isTerminal: isTTY, noColorFlag: globals.noColor})
  const directories = userDirectories(environment)
  const redact = createRedactor(environment.env)
  const isInteractive = !forbidden && hasControllingTerminal(environment.platform)
  return {
    ...given,
    globals,
    environment,
    directories,
    redact,
    trace: openTrace(globals, {environment, directories, clock: systemClock, redact, stderr: streams.stderr}),
    clock: systemClock,
    output: createOutput({
      ...streams,
      format: globals.format,
      quiet: globals.quiet,
      color: {stdout: color(streams.stdout), stderr: color(streams.stderr)},
      width: globals.width,
      closed: given.ending,
    }),
    isInteractive,
    prompter: isInteractive ? createPrompter(environment.platform, given.ending) : undefined,
  }
}
