import type {Problem} from '../../platform/problem.js'
import {runCommand} from '../../turn/tools/run-command.js'
import type {Invocation} from '../invocation.js'

/** How long a program may take to tell its version. Unit: milliseconds. */
const answerMs = 5000

/** What `git --version` says; undefined when there is no git. */
export const gitVersion = async ({environment, ending}: Invocation): Promise<string | undefined> => {
  const {cwd, env} = environment
  const end = await runCommand({command: 'git', args: ['--version'], cwd, env}, ending, {timeoutMs: answerMs})
  return end.failure === undefined ? end.stdout.trim().replace(/^git version /, '') : undefined
}

/** The programs that jp starts: git, for plugins that come from a repository. */
export const diagnoseTools = (git: string | undefined): readonly Problem[] =>
  git !== undefined
    ? []
    : [
        {
          code: 'git_missing',
          gravity: 'note',
          path: 'git',
          reason: 'there is no git on the path, or it does not start',
          advice: 'install it to install plugins from repositories; nothing else needs it',
        },
      ]
