import {existsSync} from 'node:fs'
import {createRequire} from 'node:module'
import {dirname, join} from 'node:path'
import {JpError} from '../../errors/jp-error.js'
import {type HostEnvironment, variable} from '../../platform/host-environment.js'
import {nodeExecutable, packageRoot} from '../../platform/package-root.js'
import type {Trace} from '../../platform/trace.js'
import {runCommand} from '../../turn/tools/run-command.js'
import {isRecord, recordIn, textIn} from './json-fields.js'

/** What runs npm and git for an installation. */
export type ToolPlace = {
  readonly environment: HostEnvironment
  /** Aborted when the user stops. */
  readonly signal: AbortSignal
  /** What npm was asked and what it said, for `-v`. */
  readonly trace: Trace
  /** Ask the registry again for what npm holds in its cache. */
  readonly refetch: boolean
}

/** How long one tool may work. Unit: milliseconds. */
const toolMs = 5 * 60 * 1000

/** npm would work in a folder of another project, or run what the environment names. */
const unwanted = /^(?:npm_(?!config_)|NODE_OPTIONS$|NODE_PATH$|INIT_CWD$|GIT_(?:DIR|WORK_TREE|INDEX_FILE|EXEC_PATH)$)/i

/** Never a script of a package, whatever a configuration file says; and no talk beside the answer. */
const flags = [
  '--ignore-scripts',
  '--json',
  '--loglevel=error',
  '--no-audit',
  '--no-fund',
  '--no-update-notifier',
  '--no-workspaces',
  '--fetch-retries=1',
]

/**
 * Runs npm with `--ignore-scripts` in a folder of ours, so that no `.npmrc` of a package counts. The user's own counts:
 * private registries need it.
 * @returns its JSON answer.
 * @throws JpError `plugin_not_found`, `plugin_unauthorised`, `plugin_integrity_mismatch`, `plugin_download_failed`,
 * `plugin_install_failed`, `interrupted`.
 */
export const runNpm = async (args: readonly string[], cwd: string, place: ToolPlace): Promise<unknown> => {
  const {env} = place.environment
  const npm = npmCommand()
  const {stdout, stderr, failure} = await runCommand(
    {
      command: npm.command,
      args: [...npm.args, ...args, ...flags, ...choices(place)],
      cwd,
      env: {...Object.fromEntries(Object.entries(env).filter(([name]) => !unwanted.test(name))), PWD: cwd},
    },
    place.signal,
    {timeoutMs: toolMs},
  )
  place.trace.write('info', 'plugin::npm', `npm ${args.join(' ')}`, {failure, stderr: stderr.trim()})
  if (place.signal.aborted) throw new JpError('interrupted', 'Cancelled: nothing was installed.')
  if (failure === undefined) return parseJson(stdout)
  throw npmFailure(parseJson(stdout), stderr, failure)
}

/** What the user chose for one run: the two are those of oclif's plugin commands (P28). */
const choices = ({environment, refetch}: ToolPlace): string[] => {
  const registry = variable(environment, 'JP_NPM_REGISTRY')
  return [...(refetch ? ['--prefer-online'] : []), ...(registry === undefined ? [] : [`--registry=${registry}`])]
}

/** The npm that came with jp, else the one on `$PATH`. */
const npmCommand = (): {command: string; args: readonly string[]} => {
  const require = createRequire(join(packageRoot(), 'package.json'))
  for (const from of ['npm/package.json', '@oclif/plugin-plugins']) {
    try {
      const found = from.startsWith('npm') ? require.resolve(from) : createRequire(require.resolve(from)).resolve('npm')
      const cli = join(dirname(found), 'bin', 'npm-cli.js')
      if (existsSync(cli)) return {command: nodeExecutable(), args: [cli]}
    } catch {
      // Not installed there.
    }
  }
  return {command: 'npm', args: []}
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** npm's own words, under the code that says what to do about it. */
const npmFailure = (answer: unknown, stderr: string, failure: string): JpError => {
  const error = isRecord(answer) ? recordIn(answer, 'error') : {}
  const code = textIn(error, 'code') ?? ''
  const said = (textIn(error, 'summary') ?? stderr.trim().split('\n').slice(-5).join('\n')) || failure
  const tell = (text: string): string => `${text}: ${oneLine(said).replace(/^\w*Error: /, '')}`
  if (code === 'ETARGET' || /No match found for version/.test(said))
    return new JpError('plugin_not_found', tell('The package has no such version'))
  if (code === 'E404') return new JpError('plugin_not_found', tell('The registry has no such package'))
  if (code === 'E401' || code === 'ENEEDAUTH' || code === 'E403') {
    return new JpError('plugin_unauthorised', tell('The registry refused'), {hint: 'To log in: npm login'})
  }
  if (code === 'EINTEGRITY') return integrityFailure(said)
  if (code === 'ENOSPC' || /\bENOSPC\b/.test(said)) {
    return new JpError('disk_full', tell("npm can't write, since the disk is full"), {
      hint: 'Nothing was changed. Free some space and run the command again.',
    })
  }
  if (code === 'EALLOWGIT' || code === 'EALLOWREMOTE' || code === 'EALLOWFILE' || code === 'EALLOWDIRECTORY') {
    return new JpError('plugin_install_failed', tell('The package depends on something that no registry has'), {
      hint: 'Ask its author to publish that dependency, or to bundle it.',
    })
  }
  if (/^E(?:CONN|NOTFOUND|AI_AGAIN|TIMEDOUT|HOST|NET|5\d\d|SOCKET|MAXREDIRECT)|^FETCH_ERROR|^ERR_SOCKET/.test(code)) {
    return new JpError('plugin_download_failed', tell(`The download failed (${code})`), {
      hint: 'Nothing was installed. Check the network and "npm config get registry", then run it again.',
    })
  }
  return new JpError('plugin_install_failed', tell('npm failed'))
}

const integrityFailure = (said: string): JpError => {
  const [, wanted, got, size] = /wanted (\S+) but got (\S+?)\.? \((\d+) bytes\)/.exec(said) ?? []
  const detail = wanted === undefined ? oneLine(said) : `want ${wanted}, got ${got} (${size} bytes)`
  return new JpError('plugin_integrity_mismatch', `The registry sent other bytes than it promised: ${detail}.`, {
    hint: 'Nothing was installed. Do not install it from there until its author explains this.',
  })
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim().slice(0, 600)
