import assert from 'node:assert/strict'
import {getEventListeners} from 'node:events'
import {pause} from '../../../src/platform/pause.js'

describe('pause', () => {
  it('Q29: ends with its time or its signal, and leaves no listener', async () => {
    const {signal} = new AbortController()
    await pause(1, signal)
    assert.equal(getEventListeners(signal, 'abort').length, 0)
    const controller = new AbortController()
    const waiting = pause(60_000, controller.signal)
    controller.abort('enough')
    await assert.rejects(waiting, (reason) => reason === 'enough')
    await assert.rejects(pause(60_000, controller.signal), (reason) => reason === 'enough')
  })
})
