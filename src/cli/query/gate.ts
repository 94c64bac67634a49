/** Holds the output of a turn back while a question is on the screen; the turn waits with it. */
export interface Gate {
  /** Closes the gate; gives the function that opens it again. */
  hold(): () => void
  /** Settles when nobody holds the gate. */
  opened(): Promise<void>
}

/** Creates an open gate. */
export const createGate = (): Gate => {
  let holders = 0
  let waiting: (() => void)[] = []
  return {
    hold() {
      holders += 1
      let released = false
      return () => {
        if (released) return
        released = true
        holders -= 1
        if (holders > 0) return
        for (const go of waiting) go()
        waiting = []
      }
    },
    opened: () => (holders === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
  }
}
