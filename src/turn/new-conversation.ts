import type {Configuration} from '../config/schema.js'
import type {NewConversation} from '../conversation/unborn.js'
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
    labels: staticLabels(labels),
    baseConfig,
  }
}

/** The labels that configuration puts on a new conversation, as far as they are plain values. */
const staticLabels = (labels: Configuration['conversation']['labels']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(labels).flatMap(([key, label]) =>
      typeof label.value === 'string' && label.apply_on?.new !== false ? [[key, label.value]] : [],
    ),
  )
