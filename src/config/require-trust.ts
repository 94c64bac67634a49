import {JpError} from '../errors/jp-error.js'
import type {Prompter} from '../platform/prompter.js'
import {isRefused, recordRefusal} from '../workspace/trust.js'
import type {Resolution} from './pipeline.js'
import type {IgnoredSetting} from './stack.js'
import {type CheckoutPlace, type TrustReport, trustCheckout, trustReport} from './trust-checkout.js'
import {describeAsked} from './trust-text.js'
import {type KeyPath, showPath} from './value.js'

/** What asking for trust stands on. */
export type TrustDeps = {
  readonly place: CheckoutPlace
  /** Undefined when nobody may be asked. */
  readonly prompter: Prompter | undefined
  readonly nowMs: number
}

/** What a command is about to use, by key: `(path) => path[1] === 'tools' && path[2] === 'deploy'`. */
export type Uses = (path: KeyPath) => boolean

/** What a conversation carries is no question of trust in files: no yes would bring it back. */
const leftOutOf = (resolution: Pick<Resolution, 'ignored'>, uses: Uses): readonly IgnoredSetting[] =>
  resolution.ignored.filter(
    ({reason, path, layer}) => reason === 'untrusted' && layer.kind !== 'conversation' && uses(path),
  )

/**
 * For a command that is about to use something guarded (W30): asks at the terminal, once, and records a yes.
 * @returns `unaffected` when nothing that it uses was left out; `trusted` when it was and is allowed now: resolve again.
 * @throws JpError `untrusted_workspace` (exit 5) without a terminal, and for a no; `interrupted`.
 */
export const requireTrusted = async (
  resolution: Pick<Resolution, 'ignored'>,
  uses: Uses,
  deps: TrustDeps,
): Promise<'unaffected' | 'trusted'> => {
  const needed = leftOutOf(resolution, uses)
  if (needed.length === 0) return 'unaffected'
  if (deps.prompter !== undefined && (await ask(await trustReport(deps.place), deps.prompter, deps))) return 'trusted'
  const [first] = needed
  const what = first === undefined ? 'A setting' : showPath(first.path)
  throw new JpError(
    'untrusted_workspace',
    `${what} of ${first?.layer.group ?? deps.place.checkoutRoot} is needed, and ${deps.place.checkoutRoot} is not trusted with it.`,
    {
      hint: `See what it asks for, and allow it:\njp w trust ${deps.place.checkoutRoot}`,
      details: {root: deps.place.checkoutRoot, settings: needed.map(({path}) => showPath(path))},
    },
  )
}

/**
 * For a command that can do without (a turn whose tools were left out): asks once at a terminal. Never fails for a no, and
 * remembers it: the same settings are not asked about again, any other are.
 * @returns true when the checkout is trusted now: resolve again.
 */
export const offerTrust = async (
  resolution: Pick<Resolution, 'ignored'>,
  uses: Uses,
  deps: TrustDeps,
): Promise<boolean> => {
  const {place, prompter} = deps
  if (prompter === undefined || leftOutOf(resolution, uses).length === 0) return false
  const report = await trustReport(place)
  const asked = report.settings.filter(({isTrusted}) => !isTrusted).map(({digest}) => digest)
  const refusable = {dataDirectory: place.directories.data, root: place.checkoutRoot}
  if (isRefused(refusable, asked)) return false
  if (await ask(report, prompter, deps)) return true
  recordRefusal(refusable, asked)
  return false
}

/** What is trusted is what was shown, whatever the files say by now. */
const ask = async (report: TrustReport, prompter: Prompter, {place, nowMs}: TrustDeps): Promise<boolean> => {
  const isTrusted = await prompter.confirm({
    message: `Trust ${place.checkoutRoot} with this?`,
    detail: describeAsked(report, 'new'),
  })
  if (isTrusted) await trustCheckout(place, nowMs, report)
  return isTrusted
}
