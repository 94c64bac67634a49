import {type Conversation} from './conversation.js'

/**
 * The configuration that a conversation carries, layer by layer in the order of merging: its base, then every delta. An
 * old conversation without `base_config.json` carries its base as the first delta (facts 2.6), so it stands there once.
 */
export const configLayers = (conversation: Pick<Conversation, 'baseConfig' | 'events'>): readonly unknown[] => {
  const deltas = conversation.events.flatMap(({known}) => (known?.type === 'config_delta' ? [known.delta] : []))
  return conversation.baseConfig === undefined ? deltas : [conversation.baseConfig, ...deltas]
}
