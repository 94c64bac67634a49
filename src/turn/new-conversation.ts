import type {NewConversation} from '../conversation/unborn.js'
import {plainLabels} from './configured-labels.js'
import {headingOf} from './heading.js'
import type {PreparedTurn} from './prepare-turn.js'

/** What a new conversation starts with, as the configuration of its first turn says (S32): the same for every frontend. */
export const newConversation = (
  {config, baseConfig}: Pick<PreparedTurn, 'config' | 'baseConfig'>,
  content: string,
): NewConversation => {
  const {title, start_local: local, labels} = config.conversation
  return {
    title: title.from_heading ? headingOf(content) : undefined,
    local,
    labels: plainLabels(labels, 'new'),
    baseConfig,
  }
}
