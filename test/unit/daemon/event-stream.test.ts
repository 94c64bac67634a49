import assert from 'node:assert/strict'
import {createEventRing} from '../../../src/daemon/event-ring.js'
import {createEventStream} from '../../../src/daemon/event-stream.js'

/** A socket that takes `room` writes, then waits to be drained. */
const createSocket = (room: number) => {
  let left = room
  let drained: (() => void) | undefined
  const socket = {
    written: '',
    ended: false,
    write(text: string) {
      socket.written += text
      left -= 1
      return left > 0
    },
    onceWritable(listener: () => void) {
      drained = listener
    },
    end() {
      socket.ended = true
    },
    drain() {
      left = room
      const listener = drained
      drained = undefined
      listener?.()
    },
  }
  return socket
}

const open = (room: number, {maxFrames = 100, fromId = 1, warnBehind = 1000} = {}) => {
  const ring = createEventRing({maxFrames, maxUnits: 1_000_000})
  const socket = createSocket(room)
  const ends: string[] = []
  const stream = createEventStream({
    ring,
    sink: socket,
    fromId,
    warnBehind,
    warningFrame: (behind) => `[${behind} behind]`,
    evictedFrame: (nextId) => `[evicted at ${nextId}]`,
    onEnd: () => ends.push('end'),
  })
  return {ring, socket, stream, ends, append: (text: string) => ring.append(() => text)}
}

describe('event stream', () => {
  it('D16: writes no more than the socket takes, and goes on where it was when it drains', () => {
    const {socket, stream, append} = open(1)
    append('a')
    stream.pump()
    append('b')
    append('c')
    stream.pump()
    assert.equal(socket.written, 'a')
    socket.drain()
    assert.equal(socket.written, 'abc')
  })

  it('D16: a reader that has fallen behind the ring is told so and dropped', () => {
    const {socket, stream, append, ends} = open(1, {maxFrames: 2})
    append('a')
    stream.pump()
    for (const text of ['b', 'c', 'd', 'e']) append(text)
    stream.pump()
    socket.drain()
    assert.equal(socket.written, 'a[evicted at 2]')
    assert.deepEqual([socket.ended, ends], [true, ['end']])
    append('f')
    stream.pump()
    assert.equal(socket.written, 'a[evicted at 2]')
  })

  it('D16: what is for this reader alone keeps its place among the events', () => {
    const {socket, stream, append} = open(1)
    append('1')
    append('2')
    stream.tell('<start>', 1)
    stream.tell('<end>')
    append('3')
    for (let round = 0; round < 6; round++) socket.drain()
    assert.equal(socket.written, '<start>12<end>3')
  })

  it('D16: a reader that lags is warned once, and again after it has caught up', () => {
    const {socket, stream, append} = open(1, {warnBehind: 3})
    append('a')
    stream.pump()
    for (const text of ['b', 'c', 'd']) append(text)
    for (let round = 0; round < 4; round++) socket.drain()
    assert.equal(socket.written, 'a[3 behind]bcd')
  })

  it('D16: an ended session lets a slow reader have the rest first', () => {
    const {socket, stream, append, ends} = open(1)
    append('a')
    stream.pump()
    append('b')
    stream.finish()
    assert.equal(socket.ended, false)
    socket.drain()
    socket.drain()
    assert.deepEqual([socket.written, socket.ended, ends], ['ab', true, ['end']])
  })

  it('D16: an idle connection is kept open, a blocked one is left alone', () => {
    const {socket, stream, append} = open(2)
    stream.keepOpen(':')
    append('a')
    stream.pump()
    stream.keepOpen(':')
    assert.equal(socket.written, ':a')
  })
})
