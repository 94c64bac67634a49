import {setImmediate as nextTick} from 'node:timers/promises'

/** Work that is done a bit at a time, and gives its value at the end. Each `yield` is a place to let others run. */
export type Steps<Value> = Generator<undefined, Value>

/** Does all of it now. */
export const atOnce = <Value>(steps: Steps<Value>): Value => {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** How long others may wait for the next of them. Unit: milliseconds. */
const sliceMs = 8

/**
 * Does it in slices, so that a process that serves others stays able to answer them (D16): timers and sockets have their
 * turn in between.
 */
export const inSlices = async <Value>(steps: Steps<Value>): Promise<Value> => {
  for (;;) {
    const untilMs = performance.now() + sliceMs
    do {
      const step = steps.next()
      if (step.done === true) return step.value
    } while (performance.now() < untilMs)
    await nextTick()
  }
}
