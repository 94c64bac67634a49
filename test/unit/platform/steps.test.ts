import assert from 'node:assert/strict'
import {atOnce, inSlices, type Steps} from '../../../src/platform/steps.js'

describe('steps', () => {
  function* sum(count: number, workMs: number): Steps<number> {
    let total = 0
    for (let at = 0; at < count; at++) {
      const untilMs = performance.now() + workMs
      while (performance.now() < untilMs);
      total += at
      yield
    }
    return total
  }

  it('D16: work in slices lets others run in between, and comes to what it comes to at once', async () => {
    let turns = 0
    let isDone = false
    const others = (): void => {
      turns += 1
      if (!isDone) setImmediate(others)
    }
    setImmediate(others)
    assert.equal(await inSlices(sum(100, 1)), atOnce(sum(100, 0)))
    isDone = true
    // 100 ms of work in slices of 8 ms.
    assert.ok(turns >= 5, `${turns} turns`)
  })

  it('D16: what fails in the middle fails whoever waits for it', async () => {
    function* failing(): Steps<number> {
      yield
      throw new RangeError('in the middle')
    }
    await assert.rejects(inSlices(failing()), RangeError)
    assert.throws(() => atOnce(failing()), RangeError)
  })
})
