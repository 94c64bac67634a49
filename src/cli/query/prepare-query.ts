import {findModelId} from '../../config/configured-models.js'
import type {Resolution} from '../../config/pipeline.js'
import {offerTrust, requireTrusted, type TrustDeps, type Uses} from '../../config/require-trust.js'
import {hasCode} from '../../errors/jp-error.js'
import {openPrepared, type Preparation, type PreparedTurn} from '../../turn/prepare-turn.js'
import {turnConfiguration} from '../../turn/turn-configuration.js'
import {configPlaceOf} from '../../turn/turn-place.js'
import type {QueryScene} from './query-scene.js'
import {type ToolFlag, toolAssignments} from './tool-flags.js'

/** What a query asks of its turn beside the conversation and `--cfg`. */
export type Wishes = {
  readonly toolFlags: readonly ToolFlag[]
  /** Keys of `conversation.labels` that were named. */
  readonly labelRules: readonly string[]
  /** The message is written in the editor. */
  readonly isWritten: boolean
}

/**
 * Prepares the turn of a query. With no model configured a terminal is asked (W25); nothing is chosen silently. An
 * untrusted checkout whose settings the turn would use is offered on a terminal; what was named for this run and only the
 * checkout defines needs trust (W30).
 * @throws JpError `model_required` without a terminal, `usage` for a tool that does not exist, `untrusted_workspace`, those
 * of the configuration and of opening a model.
 */
export const prepareQuery = async (
  scene: QueryScene,
  preparation: Preparation,
  wishes: Wishes,
): Promise<PreparedTurn> => {
  const {conversation, onRetry} = preparation
  const {prompter} = scene.invocation
  const {cfg, resolution} = await resolveTrusted(scene, preparation, wishes)
  try {
    return await openPrepared(scene.place, resolution, onRetry)
  } catch (error) {
    if (!hasCode(error, 'model_required') || prompter === undefined) throw error
    const model = await prompter.input({
      message: 'No model is configured. Which one for this conversation? (provider/name)',
      complaint: (text) => (/^[^/\s]+\/\S+$/.test(text.trim()) ? undefined : 'Write it as provider/name.'),
    })
    const named = [...cfg, `assistant.model.id=${model.trim()}`]
    return openPrepared(scene.place, await turnConfiguration(scene.place, conversation, named), onRetry)
  }
}

type Resolved = {readonly cfg: readonly string[]; readonly resolution: Resolution}

/** The configuration once trust is settled, with what `--tool` and `--no-tools` come to: they depend on which tools there are. */
const resolveTrusted = async (
  scene: QueryScene,
  {conversation, cfg}: Preparation,
  wishes: Wishes,
): Promise<Resolved> => {
  const {toolFlags, isWritten} = wishes
  const resolve = (assignments: readonly string[]) => turnConfiguration(scene.place, conversation, assignments)
  const {clock, prompter} = scene.invocation
  const place = {...configPlaceOf(scene.place), checkoutRoot: scene.place.checkout.root}
  const deps: TrustDeps = {place, prompter, nowMs: clock.nowMs()}
  const first = await resolve(cfg)
  const isTrusted =
    (await requireTrusted(first, named(first, wishes), deps)) === 'trusted' ||
    (await offerTrust(first, usedByTurn(isWritten), deps))
  const resolution = isTrusted ? await resolve(cfg) : first
  if (toolFlags.length === 0) return {cfg, resolution}
  const all = [...cfg, ...toolAssignments(toolFlags, resolution.config.conversation.tools)]
  return {cfg: all, resolution: await resolve(all)}
}

/** What can't be done without: the tools and labels that flags name, and the provider of the model when only the checkout makes it. */
const named = ({config}: Resolution, {toolFlags, labelRules}: Wishes): Uses => {
  const tools = new Set(toolFlags.filter(({on}) => on).map(({name}) => name))
  const provider = findModelId(config, config.assistant.model.id)?.provider
  return ([area, kind, name, key]) =>
    (area === 'conversation' && kind === 'tools' && tools.has(name) && key !== 'enable') ||
    (area === 'conversation' && kind === 'labels' && name !== undefined && labelRules.includes(name)) ||
    (area === 'providers' && kind === 'llm' && name === provider && key === 'type')
}

/** What a turn uses when it is there. */
const usedByTurn =
  (isWritten: boolean): Uses =>
  ([area, kind]) =>
    area === 'providers' ||
    (area === 'conversation' && (kind === 'tools' || kind === 'attachments' || kind === 'labels')) ||
    (area === 'editor' && isWritten)
