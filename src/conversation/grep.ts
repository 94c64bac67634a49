import {join} from 'node:path'
import {hasCode} from '../errors/jp-error.js'
import type {ConversationId} from '../platform/id-grammar.js'
import type {KnownEvent, StoredEvent} from './event.js'
import {readEvents} from './events-file.js'
import type {Located} from './located.js'

/** The parts of a conversation that can be searched. */
export const grepScopes = ['title', 'request', 'response', 'reasoning', 'tool', 'inquiry'] as const
export type GrepScope = (typeof grepScopes)[number]

/** One line that matches. */
export type GrepHit = {
  readonly id: ConversationId
  readonly scope: GrepScope
  /** The event, counted from 1; 0 for the title. */
  readonly event: number
  /** As stored; empty for the title. */
  readonly timestamp: string
  /** The line, and those around it when they were asked for. */
  readonly text: string
}

/** What is looked for. */
export type GrepQuery = {
  /** Tested on each line. */
  readonly pattern: RegExp
  readonly scopes: ReadonlySet<GrepScope>
  /** Lines before and after. */
  readonly context: number
  /** In one conversation; undefined: all. */
  readonly maxMatches: number | undefined
}

/** The expression for patterns as typed: any of them, as text or as expressions, in any case or as written. */
export const grepPattern = (
  typed: readonly string[],
  options: {readonly isRegex: boolean; readonly ignoreCase: boolean},
): RegExp => {
  const sources = typed.map((text) => (options.isRegex ? `(?:${text})` : text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')))
  return new RegExp(sources.join('|'), options.ignoreCase ? 'iu' : 'u')
}

/** The texts of an event that can be searched. */
const textsOf = (event: KnownEvent): readonly (readonly [scope: GrepScope, text: string])[] => {
  switch (event.type) {
    case 'chat_request':
      return [['request', event.content]]
    case 'chat_response':
      if ('message' in event) return [['response', event.message]]
      return 'reasoning' in event ? [['reasoning', event.reasoning]] : [['response', JSON.stringify(event.data)]]
    case 'tool_call_request':
      return [['tool', event.name], ...stringsIn(event.arguments).map((text) => ['tool', text] as const)]
    case 'tool_call_response':
      return [['tool', event.content]]
    case 'inquiry_request':
      return [['inquiry', event.question.text]]
    case 'inquiry_response':
      return stringsIn(event.answer).map((text) => ['inquiry', text] as const)
    default:
      return []
  }
}

const stringsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : []
}

/**
 * The lines of one conversation that match, its title first.
 * @param title looked up by the caller when titles are searched.
 * @throws JpError `conversation_corrupt`, `file_unreadable`, `file_refused`, `file_not_found`.
 */
export function* grepConversation(located: Located, title: string | undefined, query: GrepQuery): Generator<GrepHit> {
  const {id} = located
  let left = query.maxMatches ?? Number.POSITIVE_INFINITY
  if (title !== undefined && query.scopes.has('title') && query.pattern.test(title) && left-- > 0)
    yield {id, scope: 'title', event: 0, timestamp: '', text: title}
  let number = 0
  for (const event of eventsOf(located)) {
    number += 1
    for (const hit of hitsIn(event, query)) {
      if (left-- <= 0) return
      yield {id, event: number, timestamp: event.timestamp, ...hit}
    }
  }
}

const eventsOf = (located: Located): Iterable<StoredEvent> => {
  const stream = located.units.stream
  if (stream === undefined) return []
  const path = join(stream.copy.directory, 'events.json')
  return readEvents(path, stream.stamps['events.json']?.size ?? 0)
}

function* hitsIn(event: StoredEvent, query: GrepQuery): Generator<{scope: GrepScope; text: string}> {
  const known = event.known
  if (known === undefined) return
  for (const [scope, text] of textsOf(known)) {
    if (query.scopes.has(scope)) for (const lines of matchingLines(text, query)) yield {scope, text: lines}
  }
}

/** Tests the whole text first: most hold nothing. An expression that spans lines matches no line. */
function* matchingLines(text: string, {pattern, context}: GrepQuery): Generator<string> {
  if (!pattern.test(text)) return
  const lines = text.split('\n')
  for (const [index, line] of lines.entries()) {
    if (!pattern.test(line)) continue
    yield context === 0 ? line : lines.slice(Math.max(0, index - context), index + context + 1).join('\n')
  }
}

/** True for what makes one conversation unreadable and no other (W20). */
export const isPassedOver = (error: unknown): boolean =>
  hasCode(error, 'conversation_corrupt', 'file_unreadable', 'file_refused', 'file_not_found')
