import type {LanguageModelV4} from '@ai-sdk/provider'
import type {NewEvent, StoredEvent} from '../../src/conversation/event.js'
import {conversationIdOf} from '../../src/platform/id-grammar.js'
import type {TurnConversation} from '../../src/turn/turn-log.js'

/** A conversation in memory: what a turn appends goes to `events`. */
export const fakeConversation = (events: NewEvent[]): TurnConversation & {readonly roots: readonly string[]} => {
  const roots: string[] = []
  return {
    id: conversationIdOf(1),
    roots,
    read: () => ({
      title: undefined,
      events: events.map(
        (event): StoredEvent => ({
          type: event.type,
          timestamp: 't',
          value: {...event},
          known: {timestamp: 't', ...event},
          text: '',
        }),
      ),
    }),
    append: (added) => void events.push(...added),
    recordRoot: (root) => void roots.push(root),
    changeMetadata: () => undefined,
  }
}

/** A model that is only streamed from, as jp calls them. */
export const streamingModel = (doStream: LanguageModelV4['doStream']): LanguageModelV4 => ({
  specificationVersion: 'v4',
  provider: 'test',
  modelId: 'test',
  supportedUrls: {},
  doGenerate: () => Promise.reject(new TypeError('never called')),
  doStream,
})
