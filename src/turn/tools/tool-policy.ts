import type {DeniedCall} from '../turn-event.js'
import type {ToolSettings} from './tool-settings.js'

/** What becomes of a call before it runs. */
export type RunDecision =
  | {readonly kind: 'run'}
  | {readonly kind: 'ask'; readonly edits: boolean}
  | {readonly kind: 'deny'; readonly reason: string}

/**
 * The policy of a call (W26). `isCovered`: the user has allowed it for ever. Where nobody can be asked, `detached` decides,
 * and its default is to deny.
 */
export const decideRun = (
  settings: Pick<ToolSettings, 'run' | 'detached'>,
  {isCovered, canAsk}: {readonly isCovered: boolean; readonly canAsk: boolean},
): RunDecision => {
  const policy = settings.run ?? 'ask'
  if (policy === 'deny') return {kind: 'deny', reason: 'the configuration denies it'}
  if (policy === 'unattended') return {kind: 'run'}
  if (policy === 'ask' && isCovered) return {kind: 'run'}
  if (canAsk) return {kind: 'ask', edits: policy === 'edit'}
  if (settings.detached === 'unattended') return {kind: 'run'}
  return {kind: 'deny', reason: 'nobody could be asked'}
}

/** What becomes of a result before the model gets it. */
export const decideResult = (settings: Pick<ToolSettings, 'result' | 'detached'>, canAsk: boolean): RunDecision => {
  const policy = settings.result ?? 'unattended'
  if (policy === 'unattended') return {kind: 'run'}
  if (policy === 'deny') return {kind: 'deny', reason: 'the configuration keeps its results'}
  if (canAsk) return {kind: 'ask', edits: policy === 'edit'}
  if (settings.detached === 'unattended') return {kind: 'run'}
  return {kind: 'deny', reason: 'nobody could be asked about its result'}
}

/** What the model is told of a call that did not run. */
export const denialFor = (denied: DeniedCall): string =>
  `This call was denied: ${denied.reason}. It did not run. Go on without it, or say what you would need it for.`
