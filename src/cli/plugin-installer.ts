import {JpError} from '../errors/jp-error.js'
import {spelledOut} from '../platform/sanitise.js'
import {quoteForShell} from '../platform/shell-quote.js'
import {isTerminal} from '../platform/terminal.js'
import {createApprovalStore} from '../plugin/approvals.js'
import {findPlugins} from '../plugin/find-plugins.js'
import type {InstallDeps, InstallPlan} from '../plugin/install/install-package.js'
import type {LinkPlan} from '../plugin/install/link-package.js'
import {builtInsOf} from './built-ins.js'
import type {Invocation} from './invocation.js'
import {createProgress} from './progress.js'
import {watchStopSignals} from './stop-signals.js'

/** What the flags of an installation say. */
export type InstallerChoices = {
  /** No progress. */
  readonly silent?: boolean
  /** Ask the registry again for what npm holds in its cache. */
  readonly refetch?: boolean
}

/** Does work on the installed packages; Ctrl-C ends it in order, with nothing half done. */
export const withInstaller = async <Result>(
  invocation: Invocation,
  work: (deps: InstallDeps) => Promise<Result>,
  {silent = false, refetch = false}: InstallerChoices = {},
): Promise<Result> => {
  const {environment, directories, clock, commands, output, globals, trace} = invocation
  const approvals = createApprovalStore({dataDirectory: directories.data, clock, pid: environment.pid})
  const signals = watchStopSignals(invocation.ending)
  const progress = createProgress(output, {isTerminal: isTerminal(2), quiet: globals.quiet || silent})
  try {
    return await work({
      environment,
      directories,
      clock,
      approvals,
      builtIns: builtInsOf(commands),
      signal: signals.stop,
      trace,
      refetch,
      find: () => findPlugins({environment, directories, nowMs: clock.nowMs()}, approvals.read()),
      step: (title, part) => progress.step(title, part),
    })
  } finally {
    signals.close()
  }
}

/** What a plan says, a line each: all that the user decides by (P15). Nothing in it is hidden. */
export const planLines = (plan: InstallPlan): string[] => [
  `Package    ${plan.package} ${plan.version}${plan.replaces === undefined ? '' : ` (in the place of ${plan.replaces})`}`,
  `From       ${plan.source}`,
  `Integrity  ${plan.integrity}`,
  ...plan.plugins.flatMap(({name, manifest}) => [
    `Claims     jp ${manifest.command.join(' ')} (plugin ${name}, protocol ${manifest.protocol})`,
    `About      ${manifest.description.replaceAll(/[\n\t]+/g, ' ')}`,
    `Scope      ${manifest.scope === 'multi' ? 'multi: every workspace on this machine' : 'single: the workspace of a run'}`,
  ]),
  `Runs       ${plan.hosted === 'entry' ? 'its own program' : 'its oclif commands, hosted by jp, in a process of their own'}`,
  ...(plan.scripts.length === 0 ? [] : [`Scripts    ${plan.scripts.join(', ')}: jp never runs them`]),
  ...(plan.deprecated === undefined ? [] : [`Warning    deprecated: ${plan.deprecated.replaceAll(/\s+/g, ' ')}`]),
]

/** How a plan is agreed to. */
export type Agreement = {
  readonly yes: boolean
  /** The command line that would agree, less `--yes`. */
  readonly command: string
  /** Does not show a plan that nobody has to answer to. */
  readonly silent?: boolean
}

/**
 * Lets the user agree to a plan: `--yes`, or an answer on the terminal.
 * @throws JpError `plugin_approval_required` where nobody can be asked; `plugin_denied` for a no.
 */
export const agreeTo =
  (invocation: Invocation, {yes, command, silent = false}: Agreement) =>
  async (plan: InstallPlan): Promise<void> => {
    const {output, prompter} = invocation
    const detail = planLines(plan).map(spelledOut).join('\n')
    if (yes) return silent ? undefined : output.note(detail)
    if (prompter === undefined) {
      output.note(detail)
      throw new JpError('plugin_approval_required', `Nobody agreed to install ${plan.package} ${plan.version}.`, {
        hint: `Have a look at it, then run: ${command} --yes`,
        details: {package: plan.package, version: plan.version, integrity: plan.integrity},
      })
    }
    const isAgreed = await prompter.confirm({message: `Install ${plan.package} and let it run?`, detail})
    if (!isAgreed) throw new JpError('plugin_denied', `${plan.package} was not installed: you said no.`)
  }

/**
 * Lets the user agree to a link, on the terminal alone: it is a standing permission.
 * @throws JpError `plugin_approval_required` where nobody can be asked; `plugin_denied` for a no.
 */
export const agreeToLink =
  ({prompter}: Invocation) =>
  async (plan: LinkPlan): Promise<void> => {
    if (prompter === undefined) {
      throw new JpError('plugin_approval_required', `${plan.root} can be linked on a terminal only.`, {
        hint: `Without one, install it: jp plugins install ${quoteForShell(plan.root)} --yes`,
      })
    }
    const detail = [
      `Package    ${plan.package} ${plan.version}`,
      `Folder     ${plan.root}`,
      ...plan.plugins.map(
        ({name, manifest}) => `Claims     jp ${manifest.command.join(' ')} (plugin ${name}, scope ${manifest.scope})`,
      ),
      'What lies in this folder will run, whatever it becomes, and you are not asked again.',
    ]
    const isAgreed = await prompter.confirm({
      message: `Link ${plan.package} for development?`,
      detail: detail.map(spelledOut).join('\n'),
    })
    if (!isAgreed) throw new JpError('plugin_denied', `${plan.package} was not linked: you said no.`)
  }
