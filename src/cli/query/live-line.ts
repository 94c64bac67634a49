import {monotonicMs} from '../../platform/clock.js'
import type {Output} from '../output.js'

/** When a line appears, and how often it is drawn anew: `show`, `delay_secs`, `interval_ms` of the configuration. */
export type LiveTiming = {readonly show: boolean; readonly delay_secs: number; readonly interval_ms: number}

/** A line on stderr that says what is waited for, and goes as soon as anything else is said. */
export interface LiveLine {
  /** Says it after the delay, with the seconds that have passed; what stood there goes. */
  wait(text: string, timing: LiveTiming): void
  /** Takes the line away. */
  stop(): void
}

/** Creates the line; where stderr is no terminal nothing is ever drawn (Q7). */
export const createLiveLine = (output: Output, isTerminal: boolean): LiveLine => {
  let timer: NodeJS.Timeout | undefined
  let isDrawn = false
  const stop = (): void => {
    clearTimeout(timer)
    timer = undefined
    if (isDrawn) output.chrome('\r\u001b[2K')
    isDrawn = false
  }
  return {
    stop,
    wait(text, {show, delay_secs: delaySecs, interval_ms: intervalMs}) {
      stop()
      if (!isTerminal || !show) return
      const startedMs = monotonicMs()
      const draw = (): void => {
        const secs = Math.floor((monotonicMs() - startedMs) / 1000)
        output.chrome(`\r\u001b[2K${output.talkPaint('dim', `${text} … ${secs} s`)}`)
        isDrawn = true
        timer = setTimeout(draw, intervalMs)
        timer.unref()
      }
      timer = setTimeout(draw, delaySecs * 1000)
      timer.unref()
    },
  }
}
