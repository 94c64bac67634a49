import {JpError} from '../../errors/jp-error.js'
import {runCommand} from '../../turn/tools/run-command.js'
import type {ToolPlace} from './npm.js'
import type {PackageSource} from './source.js'

const cloneMs = 5 * 60 * 1000

/** Nothing of the repository runs: no hook, no submodule, no transport that is a command. */
const safely = [
  '-c',
  'core.hooksPath=/dev/null',
  '-c',
  'protocol.ext.allow=never',
  '-c',
  'core.fsmonitor=false',
  '-c',
  'core.symlinks=false',
]

/**
 * Clones a repository into a folder that is not there yet; gives the commit. npm is not asked to: it would run the
 * scripts of the clone and obey its `.npmrc`.
 * @throws JpError `plugin_download_failed`, `interrupted`.
 */
export const cloneRepository = async (
  {url, ref}: Extract<PackageSource, {kind: 'git'}>,
  folder: string,
  place: ToolPlace,
): Promise<string> => {
  const git = async (...args: readonly string[]): Promise<string> => {
    const env = {...place.environment.env, GIT_TERMINAL_PROMPT: '0', GIT_DIR: undefined, GIT_WORK_TREE: undefined}
    const end = await runCommand(
      {command: 'git', args: [...safely, ...args], cwd: place.environment.cwd, env},
      place.signal,
      {timeoutMs: cloneMs},
    )
    if (place.signal.aborted) throw new JpError('interrupted', 'Cancelled: nothing was installed.')
    if (end.failure === undefined) return end.stdout.trim()
    const said = end.stderr.trim().split('\n').slice(-3).join(' ')
    throw new JpError('plugin_download_failed', `git can't clone ${url}: ${said === '' ? end.failure : said}`, {
      hint: 'Nothing was installed.',
    })
  }
  const shallow = ref === undefined ? ['--depth=1'] : []
  await git('clone', '--quiet', '--no-recurse-submodules', ...shallow, '--', url, folder)
  if (ref !== undefined) await git('-C', folder, 'checkout', '--quiet', '--detach', ref)
  return git('-C', folder, 'rev-parse', 'HEAD')
}
