import type {Clock} from '../platform/clock.js'

/** The one-time links of `jp serve open`, and the cookies that they turn into (D24). */
export interface PageLinks {
  /** A code that opens the page once, soon. */
  issue(): string
  /** Uses a code up; gives the cookie for it, or undefined when there is no such code any more. */
  redeem(code: string): string | undefined
  /** True for a cookie that {@link redeem} gave. */
  isCookie(value: string): boolean
}

/** How long a link waits for its one use. Unit: milliseconds. */
export const linkLifeMs = 60_000

/** The most links that wait at a time; the oldest give way. */
const maxLinks = 16

/** Creates the links of one daemon. @param newSecret gives an unguessable text. */
export const createPageLinks = (clock: Clock, newSecret: () => string): PageLinks => {
  const codes = new Map<string, number>()
  const cookies = new Set<string>()
  return {
    issue() {
      const code = newSecret()
      codes.set(code, clock.nowMs() + linkLifeMs)
      const [oldest] = codes.keys()
      if (codes.size > maxLinks && oldest !== undefined) codes.delete(oldest)
      return code
    },
    redeem(code) {
      const untilMs = codes.get(code)
      codes.delete(code)
      if (untilMs === undefined || untilMs < clock.nowMs()) return undefined
      const cookie = newSecret()
      cookies.add(cookie)
      return cookie
    },
    isCookie: (value) => cookies.has(value),
  }
}
