import assert from 'node:assert/strict'
import fc from 'fast-check'
import {createEventRing} from '../../../src/daemon/event-ring.js'
import {fuzz} from '../../support/fuzz.js'

const all = (ring: ReturnType<typeof createEventRing>, fromId: number): string =>
  ring.read({fromId, toId: ring.lastId + 1}, Number.POSITIVE_INFINITY).text

describe('event ring', () => {
  it('D16: gives ids that rise by one, and reads from any that is held', () => {
    const ring = createEventRing({maxFrames: 3, maxUnits: 1000})
    assert.deepEqual([ring.firstId, ring.lastId], [1, 0])
    for (const text of ['a', 'b', 'c', 'd']) ring.append((id) => `${id}${text};`)
    assert.deepEqual([ring.firstId, ring.lastId], [2, 4])
    assert.equal(all(ring, 2), '2b;3c;4d;')
    assert.equal(all(ring, 4), '4d;')
    assert.deepEqual(ring.read({fromId: 2, toId: 5}, 1), {text: '2b;', nextId: 3})
    assert.deepEqual(ring.read({fromId: 2, toId: 4}, 1000), {text: '2b;3c;', nextId: 4})
    assert.deepEqual(ring.frames(), ['2b;', '3c;', '4d;'])
  })

  it('D16: is bounded by size too, and holds the newest whatever its size', () => {
    const ring = createEventRing({maxFrames: 100, maxUnits: 10})
    ring.append(() => 'x'.repeat(8))
    ring.append(() => 'y'.repeat(8))
    assert.deepEqual(ring.frames(), ['y'.repeat(8)])
    ring.append(() => 'z'.repeat(500))
    assert.deepEqual([ring.firstId, ring.lastId], [3, 3])
    assert.deepEqual(ring.frames(), ['z'.repeat(500)])
  })

  it('Q30: agrees with a plain list, whatever is appended', () => {
    fc.assert(
      fc.property(fc.array(fc.string({maxLength: 6})), fc.integer({min: 1, max: 5}), (texts, maxFrames) => {
        const ring = createEventRing({maxFrames, maxUnits: 1_000_000})
        for (const text of texts) ring.append((id) => `${id}${text}`)
        const model = texts.map((text, index) => `${index + 1}${text}`)
        assert.deepEqual(ring.frames(), model.slice(-maxFrames))
        assert.equal(ring.lastId, texts.length)
        for (let id = ring.firstId; id <= ring.lastId; id++) assert.equal(all(ring, id), model.slice(id - 1).join(''))
      }),
      fuzz(100),
    )
  })
})
