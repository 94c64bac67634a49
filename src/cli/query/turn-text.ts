import type {TurnEvent, TurnSubscriber} from '../../turn/turn-event.js'
import type {Output} from '../output.js'
import type {Background} from '../paint.js'
import {createAnswerText} from './answer-text.js'
import {createReasoningTalk, type ReasoningDisplay} from './reasoning-talk.js'
import {type ToolDisplay, toolText} from './tool-lines.js'
import {usageLine} from './usage-line.js'

/** What is shown beside the answer. */
export type TurnTextOptions = {
  readonly reasoning: ReasoningDisplay
  /** Behind reasoning, and behind the tool calls that follow it in the turn when `extendsBackground`. */
  readonly behindReasoning: Background
  readonly extendsBackground: boolean
  /** Undefined: tool calls are not shown. */
  readonly tools: ToolDisplay | undefined
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
    await talk.tell(event)
  }
}

/** The chrome of a turn on stderr. */
export interface TurnTalk {
  tell(event: TurnEvent): Promise<void>
  /** Ends a line of reasoning that is being written. */
  endReasoning(): void
}

/** Creates what tells people how a turn goes; `--quiet` silences it. */
export const createTalk = (output: Output, options: TurnTextOptions): TurnTalk => {
  const {reasoning: display, behindReasoning, extendsBackground, tools} = options
  const reasoning = createReasoningTalk(output, display, behindReasoning)
  let hasReasoned = false
  return {
    endReasoning: () => reasoning.end(),
    async tell(event) {
      if (event.type === 'reasoning_delta') {
        hasReasoned = display !== 'hidden'
        return reasoning.push(event.text)
      }
      if (event.type !== 'event') reasoning.end()
      const text = tools === undefined ? undefined : await toolText(event, tools)
      if (text !== undefined) {
        const shown = output.talkPaint('dim', text)
        output.chrome(`${hasReasoned && extendsBackground ? behindReasoning(shown) : shown}\n`)
      }
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
  if (line !== undefined) output.chrome(`${output.talkPaint('dim', line)}\n`)
}

const secondsOf = (ms: number): string => `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`
