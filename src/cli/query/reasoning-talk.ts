import type {Configuration} from '../../config/schema.js'
import {monotonicMs} from '../../platform/clock.js'
import {createStreamSanitiser} from '../../platform/sanitise.js'
import type {Output} from '../output.js'
import type {Background} from '../paint.js'

/** How much of what a model thinks is shown: `style.reasoning.display`. */
export type ReasoningDisplay = Configuration['style']['reasoning']['display']

/** What is shown of reasoning while it arrives. */
export interface ReasoningTalk {
  push(text: string): void
  /** Ends the part that is being written, if there is one. */
  end(): void
}

/** A dot stands for about this much. Unit: UTF-16 code units. */
const unitsOfDot = 200

/** Creates it. `summary` says no more than `static`: that the model thinks. */
export const createReasoningTalk = (output: Output, display: ReasoningDisplay, behind: Background): ReasoningTalk => {
  const sanitiser = createStreamSanitiser()
  const say = (text: string): void => output.chrome(behind(output.talkPaint('dim', text)))
  let startedMs: number | undefined
  let units = 0

  const first = (): void => {
    startedMs = monotonicMs()
    units = 0
    if (display === 'static' || display === 'summary') say('Thinking …\n')
    if (display === 'progress') say('Thinking ')
  }
  const more = (text: string): void => {
    const before = units
    units += text.length
    if (display === 'full') say(sanitiser.push(text))
    if (typeof display === 'number' && before < display) {
      const shown = sanitiser.push(text.slice(0, display - before).toWellFormed())
      say(units > display ? `${shown} …` : shown)
    }
    if (display === 'progress') say('.'.repeat(Math.floor(units / unitsOfDot) - Math.floor(before / unitsOfDot)))
  }
  return {
    push(text) {
      if (display === 'hidden') return
      if (startedMs === undefined) first()
      more(text)
    },
    end() {
      if (startedMs === undefined) return
      const secs = Math.round((monotonicMs() - startedMs) / 1000)
      startedMs = undefined
      if (display === 'full' || typeof display === 'number') say(`${sanitiser.end()}\n\n`)
      if (display === 'progress') output.chrome('\n')
      if (display === 'timer') say(`Thought for ${secs} s.\n`)
    },
  }
}
