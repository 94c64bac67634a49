import {readOwnSettings} from '../config/own-settings.js'
import {type Resolution, resolveConfiguration} from '../config/pipeline.js'
import {configLayers} from '../conversation/config-layers.js'
import type {Conversation} from '../conversation/conversation.js'
import {configPlaceOf, type TurnPlace} from './turn-place.js'

/** The part of a conversation that carries its configuration. */
export type ConfiguredConversation = Pick<Conversation, 'id' | 'baseConfig' | 'events'>

/**
 * The configuration of a turn (S32): files and environment of its checkout, then what the conversation carries, then the
 * assignments of this run.
 * @param conversation undefined for a new one.
 * @throws JpError what {@link resolveConfiguration} throws.
 */
export const turnConfiguration = async (
  place: TurnPlace,
  conversation: ConfiguredConversation | undefined,
  cfg: readonly string[],
): Promise<Resolution> => {
  const resolution = await resolveConfiguration(configPlaceOf(place), {
    launchCwd: place.launchCwd,
    cfg,
    ...(conversation === undefined
      ? {}
      : {
          conversation: {
            base: undefined,
            deltas: configLayers(conversation),
            own: readOwnSettings(place.silo, conversation.id),
          },
        }),
  })
  // A new one has all of it in its base.
  return conversation === undefined ? {...resolution, delta: undefined} : resolution
}
