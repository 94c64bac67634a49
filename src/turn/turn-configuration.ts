import {type Resolution, resolveConfiguration} from '../config/pipeline.js'
import {configLayers} from '../conversation/config-layers.js'
import type {Conversation} from '../conversation/conversation.js'
import {configPlaceOf, type TurnPlace} from './turn-place.js'

/**
 * The configuration of a turn (S32): files and environment of its checkout, then what the conversation carries, then the
 * assignments of this run.
 * @param conversation undefined for a new one.
 * @throws JpError what {@link resolveConfiguration} throws.
 */
export const turnConfiguration = (
  place: TurnPlace,
  conversation: Pick<Conversation, 'baseConfig' | 'events'> | undefined,
  cfg: readonly string[],
): Promise<Resolution> => {
  const layers = conversation === undefined ? undefined : configLayers(conversation)
  return resolveConfiguration(configPlaceOf(place), {
    launchCwd: place.launchCwd,
    cfg,
    ...(layers === undefined ? {} : {conversation: {base: undefined, deltas: layers}}),
  })
}
