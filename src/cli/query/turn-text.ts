import {createStreamSanitiser, forTerminal, forTerminalLine} from '../../platform/sanitise.js'
import type {TurnEntry, TurnEvent, TurnSubscriber} from '../../turn/turn-event.js'
import type {Output} from '../output.js'
import {createAnswerText} from './answer-text.js'
import {usageLine} from './usage-line.js'

/** What is shown beside the answer. */
export type TurnTextOptions = {
  readonly showReasoning: boolean
  readonly showToolCalls: boolean
}

/**
 * `--format text`: the assistant's words on stdout, everything else on stderr (W29). Settles when stdout takes more.
 */
export const createTurnText = (output: Output, options: TurnTextOptions): TurnSubscriber => {
  const answer = createAnswerText()
  const talk = createTalk(output, options)
  return async (event) => {
    if (event.type === 'text_delta') {
      talk.endReasoning()
      await output.write(answer.push(event.text))
    } else if (event.type === 'event' && event.event.type === 'chat_response') {
      if ('message' in event.event) await output.write(answer.endPart())
    } else if (event.type === 'turn_ended') {
      talk.endReasoning()
      await output.write(answer.end())
    }
    talk.tell(event)
  }
}

/** The chrome of a turn on stderr. */
export interface TurnTalk {
  tell(event: TurnEvent): void
  /** Ends a line of reasoning that is being written. */
  endReasoning(): void
}

/** Creates what tells people how a turn goes; `--quiet` silences it. */
export const createTalk = (output: Output, options: TurnTextOptions): TurnTalk => {
  const sanitiser = createStreamSanitiser()
  let isThinking = false
  const endReasoning = (): void => {
    if (!isThinking) return
    isThinking = false
    output.chrome(`${output.paint('dim', sanitiser.end())}\n\n`)
  }
  return {
    endReasoning,
    tell(event) {
      if (event.type === 'reasoning_delta') {
        if (!options.showReasoning) return
        isThinking = true
        output.chrome(output.paint('dim', sanitiser.push(event.text)))
        return
      }
      if (event.type !== 'event') endReasoning()
      const line = options.showToolCalls ? toolLine(event) : undefined
      if (line !== undefined) output.chrome(`${output.paint('dim', line)}\n`)
      if (event.type === 'warning') output.warn(event.message)
      if (event.type === 'retrying') {
        output.note(`${event.reason} Trying again in ${secondsOf(event.delay_ms)} (${event.attempt}).`)
      }
      if (event.type === 'turn_ended') tellEnd(output, event)
    },
  }
}

const tellEnd = (output: Output, event: Extract<TurnEvent, {type: 'turn_ended'}>): void => {
  if (output.format !== 'text-pretty') return
  const line = usageLine(event.usage)
  if (line !== undefined) output.chrome(`${output.paint('dim', line)}\n`)
}

const toolLine = (event: TurnEvent): string | undefined => {
  switch (event.type) {
    case 'tool_call_requested':
      return `→ ${forTerminalLine(event.name)} ${shortened(JSON.stringify(event.arguments))}`
    case 'tool_call_ended':
      return `← ${forTerminalLine(event.name)} ${event.outcome}${sizeOf(event.content)}`
    case 'event':
      return inquiryLine(event.event)
    default:
      return undefined
  }
}

/** What the assistant was asked by a tool, and what it said. */
const inquiryLine = (entry: TurnEntry): string | undefined => {
  if (entry.type === 'inquiry_response') return `= ${shortened(JSON.stringify(entry['answer']))}`
  const question = entry.type === 'inquiry_request' ? entry['question'] : undefined
  if (typeof question !== 'object' || question === null || !('text' in question)) return undefined
  return `? ${shortened(String(question.text))}`
}

const maxShownUnits = 200

const shortened = (text: string): string => {
  const line = forTerminalLine(text)
  return line.length <= maxShownUnits ? line : `${line.slice(0, maxShownUnits).toWellFormed()} …`
}

const sizeOf = (content: string): string => {
  const lines = forTerminal(content).trimEnd().split('\n').length
  return content === '' ? '' : ` (${lines} ${lines === 1 ? 'line' : 'lines'})`
}

const secondsOf = (ms: number): string => `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`
