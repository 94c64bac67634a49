import {resolve} from 'node:path'
import {JpError} from '../errors/jp-error.js'
import {canonicalIfPresent} from '../platform/contained-path.js'
import {spelledOut} from '../platform/sanitise.js'
import {readTrust, recordTrustUnder, removeTrust, type TrustSubject} from '../workspace/trust.js'
import {type ConfigContext, configPlace} from './configuration.js'
import type {Invocation} from './invocation.js'

/**
 * Shows what a checkout asks for and records the user's trust in exactly that.
 * @throws JpError `workspace_not_found`, and as `trustCheckout`.
 */
export const trustWorkspace = async (
  invocation: Invocation,
  context: ConfigContext,
  {isDryRun}: {readonly isDryRun: boolean},
): Promise<void> => {
  const [{trustCheckout, trustReport}, {describeAsked}] = await Promise.all([
    import('../config/trust-checkout.js'),
    import('../config/trust-text.js'),
  ])
  const checkoutRoot = rootOf(context)
  const place = {...configPlace(invocation, context), checkoutRoot}
  const {output} = invocation
  const report = isDryRun ? await trustReport(place) : (await trustCheckout(place, invocation.clock.nowMs())).report
  for (const {message} of report.unread) output.warn(`${message} What it asks for is not trusted.`)
  if (output.isJson) {
    const settings = report.settings.map(({path, value, about, file, isTrusted}) => ({
      path,
      value,
      about,
      file,
      trusted: isTrusted || !isDryRun,
    }))
    return output.json({root: checkoutRoot, recorded: !isDryRun, settings})
  }
  if (report.settings.length > 0) await output.write(`${spelledOut(describeAsked(report, 'all'))}\n`)
  else await output.write(`${spelledOut(checkoutRoot)} asks for nothing that needs trust.\n`)
  if (!isDryRun) output.note(`Trusted ${checkoutRoot}. "jp w untrust" takes it back.`)
}

const rootOf = (context: ConfigContext): string => {
  if (context.checkout !== undefined) return context.checkout.root
  throw new JpError('workspace_not_found', 'There is no workspace here to trust.', {
    hint: 'Name one of "jp w ls", or change into it.',
  })
}

/**
 * Trusts every checkout below a folder.
 * @throws JpError `usage` with a target beside it; `file_not_found` when there is no such folder.
 */
export const trustFolder = (invocation: Invocation, folder: string, target: string | undefined): void => {
  if (target !== undefined) throw new JpError('usage', '--under names what to trust; a target beside it has no place.')
  const wanted = resolve(invocation.environment.cwd, folder)
  const path = canonicalIfPresent(wanted)
  if (path === undefined) throw new JpError('file_not_found', `There is no folder ${wanted}.`)
  recordTrustUnder(invocation.directories.data, path, invocation.clock.nowMs())
  invocation.output.line(`Trusted every checkout below ${spelledOut(path)}.`, {under: path})
}

/** Takes back what is recorded about a path; false when nothing is. */
export const untrustPath = (invocation: Invocation, target: string): boolean => {
  const wanted = resolve(invocation.environment.cwd, target)
  const removed = removeTrust(invocation.directories.data, canonicalIfPresent(wanted) ?? wanted)
  if (removed.length > 0) tellRemoved(invocation, removed)
  return removed.length > 0
}

/**
 * Takes back the trust in a checkout.
 * @throws JpError `workspace_not_found`.
 */
export const untrustWorkspace = async (invocation: Invocation, context: ConfigContext): Promise<void> => {
  const root = rootOf(context)
  const removed = removeTrust(invocation.directories.data, root)
  tellRemoved(invocation, removed)
  const {by, record} = readTrust({dataDirectory: invocation.directories.data, root, env: {}})
  if (by === 'under') {
    invocation.output.warn(
      `It is still trusted: it lies below ${record?.subject.path}. Take that back with "jp w untrust ${record?.subject.path}".`,
    )
  }
}

const tellRemoved = ({output}: Invocation, removed: readonly TrustSubject[]): void => {
  if (output.isJson) return output.json({removed})
  if (removed.length === 0) return output.note('It was not trusted.')
  for (const subject of removed) {
    const what = subject.kind === 'git' ? 'all worktrees of ' : subject.kind === 'under' ? 'every checkout below ' : ''
    output.line(`No longer trusted: ${what}${spelledOut(subject.path)}`, undefined)
  }
}
