import {forTerminal, forTerminalLine} from '../../platform/sanitise.js'
import type {ToolSettings} from '../../turn/tools/tool-settings.js'
import type {TurnEntry, TurnEvent} from '../../turn/turn-event.js'

type ToolStyle = NonNullable<ToolSettings['style']>

/** How tool calls are shown: `conversation.tools.<name>.style`. */
export type ToolDisplay = {
  styleOf(name: string): ToolStyle
  /** The call as a command of the user's formats it; undefined where there is none, or it failed. */
  format(name: string, args: Readonly<Record<string, unknown>>): Promise<string | undefined>
}

/** What a person is shown of an event about a tool call; undefined for nothing. */
export const toolText = async (event: TurnEvent, display: ToolDisplay): Promise<string | undefined> => {
  switch (event.type) {
    case 'tool_call_requested':
      return display.styleOf(event.name).hidden === true ? undefined : requestText(event, display)
    case 'tool_call_ended':
      return endText(event, display.styleOf(event.name))
    case 'event':
      return inquiryText(event.event)
    default:
      return undefined
  }
}

const requestText = async (
  {name, arguments: args}: Extract<TurnEvent, {type: 'tool_call_requested'}>,
  display: ToolDisplay,
): Promise<string> => {
  const head = `→ ${forTerminalLine(name)}`
  const {parameters} = display.styleOf(name)
  switch (parameters) {
    case undefined:
      return `${head} ${shortened(JSON.stringify(args))}`
    case 'off':
      return head
    case 'json':
      return `${head} ${forTerminal(JSON.stringify(args, undefined, 2))}`
    case 'function_call': {
      const words = Object.entries(args).map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
      return `${head}(${shortened(words.join(', '))})`
    }
    default: {
      const formatted = await display.format(name, args)
      return formatted === undefined
        ? `${head} ${shortened(JSON.stringify(args))}`
        : `${head}\n${forTerminal(formatted).trimEnd()}`
    }
  }
}

const endText = (
  {name, outcome, content}: Extract<TurnEvent, {type: 'tool_call_ended'}>,
  style: ToolStyle,
): string | undefined => {
  // A denial is never hidden.
  if (style.hidden === true && outcome !== 'denied') return undefined
  const inline = (outcome === 'success' ? undefined : style.error?.inline_results) ?? style.inline_results ?? 'off'
  const head = `← ${forTerminalLine(name)} ${outcome}`
  const lines = forTerminal(content).trimEnd().split('\n')
  if (content === '') return head
  const size = `(${lines.length} ${lines.length === 1 ? 'line' : 'lines'})`
  if (inline === 'off' || inline === 0) return `${head} ${size}`
  const shown = inline === 'full' ? lines : lines.slice(0, inline)
  const more = lines.length - shown.length
  return [`${head} ${size}`, ...shown, ...(more > 0 ? [`… ${more} more`] : [])].join('\n')
}

/** What the assistant was asked by a tool, and what it said. */
const inquiryText = (entry: TurnEntry): string | undefined => {
  if (entry.type === 'inquiry_response') return `= ${shortened(JSON.stringify(entry['answer']))}`
  const question = entry.type === 'inquiry_request' ? entry['question'] : undefined
  if (typeof question !== 'object' || question === null || !('text' in question)) return undefined
  return `? ${shortened(String(question.text))}`
}

/** Unit: UTF-16 code units. */
const maxShownUnits = 200

const shortened = (text: string): string => {
  const line = forTerminalLine(text)
  return line.length <= maxShownUnits ? line : `${line.slice(0, maxShownUnits).toWellFormed()} …`
}
