import type {ConversationStream} from '../conversation/conversation.js'
import type {KnownEvent, StoredEvent} from '../conversation/event.js'
import {rfc3339OfStored} from '../conversation/timestamp.js'
import {forTerminal, forTerminalLine} from '../platform/sanitise.js'
import {lastRootText, minuteText} from './conversation-text.js'
import type {Paint} from './paint.js'

/** How much of a conversation is shown to people. */
export const transcriptStyles = ['user', 'chat', 'brief', 'full'] as const
export type TranscriptStyle = (typeof transcriptStyles)[number]

/** The heading of a printed conversation: its title, and where it last ran (W21). */
export const transcriptHeading = (stream: ConversationStream, paint: Paint): string => {
  const ran = lastRootText(stream.lastRoot)
  const facts = [stream.id, ...(stream.archived ? ['archived'] : []), ...(ran === '' ? [] : [`last ran in ${ran}`])]
  return `${paint('bold', `# ${forTerminalLine(stream.title ?? '(no title)')}`)}\n\n${forTerminalLine(facts.join(' · '))}\n`
}

/** How a transcript is shown. `draw` lays Markdown out; without it words stay as they are. */
export type TranscriptView = {
  readonly style: TranscriptStyle
  readonly paint: Paint
  readonly draw?: ((markdown: string) => string) | undefined
}

/** One event for people; empty for what the style leaves out. */
export const eventLines = (event: StoredEvent, {style, paint, draw = asItIs}: TranscriptView): string => {
  const known = event.known
  const {summary} = event.value
  if (event.type === 'summary' && typeof summary === 'string') {
    return `\n${paint('bold', '## Summary')}\n\n${draw(forTerminal(summary)).trimEnd()}\n`
  }
  if (known === undefined) return style === 'full' ? `\n${paint('dim', `[${forTerminalLine(event.type)}]`)}\n` : ''
  const text = textOf(known, style)
  if (text === undefined) return ''
  const time = minuteText(rfc3339OfStored(event.timestamp) ?? event.timestamp)
  const heading = text.heading === undefined ? '' : `\n${paint('bold', `## ${text.heading}`)} ${paint('dim', time)}\n`
  return `${heading}\n${(text.isTalk === true ? draw : asItIs)(forTerminal(text.body)).trimEnd()}\n`
}

const asItIs = (text: string): string => text

/** `isTalk`: somebody's words, which are Markdown. */
type Text = {readonly heading?: string; readonly body: string; readonly isTalk?: boolean}

const textOf = (event: KnownEvent, style: TranscriptStyle): Text | undefined => {
  if (event.type === 'chat_request')
    return {heading: forTerminalLine(event.author ?? 'You'), body: event.content, isTalk: true}
  if (style === 'user') return undefined
  if (event.type === 'chat_response') return responseText(event, style)
  if (style === 'chat') return undefined
  if (event.type === 'tool_call_request') return toolCallText(event, style)
  return style === 'full' ? detailText(event) : undefined
}

const responseText = (
  event: Extract<KnownEvent, {type: 'chat_response'}>,
  style: TranscriptStyle,
): Text | undefined => {
  if ('message' in event) return {heading: 'Assistant', body: event.message, isTalk: true}
  if ('data' in event)
    return {heading: 'Assistant', body: fenced(JSON.stringify(event.data, undefined, 2), 'json'), isTalk: true}
  return style === 'full' ? {heading: 'Reasoning', body: event.reasoning} : undefined
}

const toolCallText = (event: Extract<KnownEvent, {type: 'tool_call_request'}>, style: TranscriptStyle): Text =>
  style === 'full'
    ? {
        heading: `Tool call ${forTerminalLine(event.name)}`,
        body: fenced(JSON.stringify(event.arguments, undefined, 2), 'json'),
      }
    : {body: `[tool ${forTerminalLine(event.name)}]`}

const detailText = (event: KnownEvent): Text | undefined => {
  switch (event.type) {
    case 'tool_call_response':
      return {heading: event.is_error ? 'Tool error' : 'Tool result', body: fenced(event.content)}
    case 'inquiry_request':
      return {heading: 'Question', body: event.question.text}
    case 'inquiry_response':
      return {heading: 'Answer', body: JSON.stringify(event.answer)}
    case 'compaction':
      return {body: `[turns ${event.from_turn} to ${event.to_turn} are sent in short] ${event.summary?.summary ?? ''}`}
    case 'config_delta':
      return {body: '[configuration changed]'}
    default:
      return undefined
  }
}

/** A fence that is longer than any in the text. */
const fenced = (text: string, language = ''): string => {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`{3,}/g), ([ticks]) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text.trimEnd()}\n${fence}`
}
