import {requireTrusted} from '../../config/require-trust.js'
import {hasCode} from '../../errors/jp-error.js'
import {type Preparation, type PreparedTurn, prepareTurn} from '../../turn/prepare-turn.js'
import {turnConfiguration} from '../../turn/turn-configuration.js'
import {configPlaceOf} from '../../turn/turn-place.js'
import type {QueryScene} from './query-scene.js'
import {type ToolFlag, toolAssignments} from './tool-flags.js'

/**
 * Prepares the turn of a query. With no model configured a terminal is asked (W25); nothing is chosen silently. A tool
 * that was named and that only the checkout defines asks for trust first (W30).
 * @throws JpError `model_required` without a terminal, `usage` for a tool that does not exist, `untrusted_workspace`, those
 * of the configuration and of opening a model.
 */
export const prepareQuery = async (
  scene: QueryScene,
  preparation: Preparation,
  toolFlags: readonly ToolFlag[],
): Promise<PreparedTurn> => {
  const cfg = [...preparation.cfg, ...(await assignTools(scene, preparation, toolFlags))]
  const {prompter} = scene.invocation
  try {
    return await prepareTurn(scene.place, {...preparation, cfg})
  } catch (error) {
    if (!hasCode(error, 'model_required') || prompter === undefined) throw error
    const model = await prompter.input({
      message: 'No model is configured. Which one for this conversation? (provider/name)',
      complaint: (text) => (/^[^/\s]+\/\S+$/.test(text.trim()) ? undefined : 'Write it as provider/name.'),
    })
    return prepareTurn(scene.place, {...preparation, cfg: [...cfg, `assistant.model.id=${model.trim()}`]})
  }
}

/** What `--tool` and `--no-tools` come to; they depend on which tools there are. */
const assignTools = async (
  scene: QueryScene,
  {conversation, cfg}: Preparation,
  flags: readonly ToolFlag[],
): Promise<readonly string[]> => {
  if (flags.length === 0) return []
  const resolve = () => turnConfiguration(scene.place, conversation, cfg)
  const named = new Set(flags.filter(({on}) => on).map(({name}) => name))
  let resolution = await resolve()
  const uses = (path: readonly string[]): boolean =>
    path[0] === 'conversation' && path[1] === 'tools' && named.has(path[2]) && path[3] !== 'enable'
  const {clock, prompter} = scene.invocation
  const place = {...configPlaceOf(scene.place), checkoutRoot: scene.place.checkout.root}
  if ((await requireTrusted(resolution, uses, {place, prompter, nowMs: clock.nowMs()})) === 'trusted') {
    resolution = await resolve()
  }
  return toolAssignments(flags, resolution.config.conversation.tools)
}
