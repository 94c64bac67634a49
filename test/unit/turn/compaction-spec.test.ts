import assert from 'node:assert/strict'
import type {StoredEvent} from '../../../src/conversation/event.js'
import {hasCode} from '../../../src/errors/jp-error.js'
import {planCompactions} from '../../../src/turn/compact-turns.js'
import {compactionEvent} from '../../../src/turn/compaction.js'
import {parseKept, plainRule} from '../../../src/turn/compaction-rule.js'
import {parseCompactionSpec} from '../../../src/turn/compaction-spec.js'

const minuteMs = 60_000
/** A stream of turns that began at these minutes of an hour. */
const streamOf = (minutes: readonly number[]): StoredEvent[] =>
  minutes.map((minute) => {
    const timestamp = `2026-09-01 08:${String(minute).padStart(2, '0')}:00.0`
    return {type: 'turn_start', timestamp, value: {}, known: {type: 'turn_start', timestamp}, text: ''}
  })
const nowMs = Date.UTC(2026, 8, 1, 9)
const kept = (text: string) => {
  const edge = parseKept(text)
  assert.ok(edge !== undefined)
  return edge
}

describe('compactions', () => {
  it('facts 8.4: a specification is policies, and turns that count from 1 or from the last', () => {
    const events = streamOf([0, 10, 20, 30])
    for (const [spec, ...expected] of [
      ['r', {from_turn: 0, to_turn: 2, reasoning: 'strip'}],
      ['t', {from_turn: 0, to_turn: 2, tool_calls: {policy: 'strip', request: true, response: true}}],
      ['t=sreq:2..-2', {from_turn: 1, to_turn: 2, tool_calls: {policy: 'strip', request: true, response: false}}],
      ['r+t=omit:..1', {from_turn: 0, to_turn: 0, reasoning: 'strip', tool_calls: {policy: 'omit'}}],
      ['r:3..', {from_turn: 2, to_turn: 2, reasoning: 'strip'}],
      ['r:-9..9', {from_turn: 0, to_turn: 3, reasoning: 'strip'}],
      ['r:4..3'],
      ['r:9..'],
    ] as const) {
      const planned = planCompactions(events, [parseCompactionSpec(spec)], nowMs)
      assert.deepEqual(
        planned.map(({rule, range}) => compactionEvent(range, rule, undefined)),
        expected.map((event) => ({type: 'compaction', ...event})),
        spec,
      )
    }
    assert.deepEqual(parseCompactionSpec('s').summary, {seesAll: false})
  })

  it('facts 8.4: what is no specification is a usage error', () => {
    for (const spec of [
      '',
      'x',
      'r=1',
      't=most',
      't=',
      's=x',
      'r+',
      'r:',
      'r:..',
      'r:1',
      'r:0..1',
      'r:..0',
      'r:1..2:3',
      'r:a..b',
    ])
      assert.throws(
        () => parseCompactionSpec(spec),
        (error) => hasCode(error, 'usage'),
        spec,
      )
  })

  it('facts 7.5: what is kept is a number of turns, or the turns of a time', () => {
    const events = streamOf([0, 10, 20, 58])
    for (const [first, last, ...expected] of [
      ['0', '0', [0, 3]],
      ['1', '1', [1, 2]],
      ['15m', '0', [2, 3]],
      ['0', '45m', [0, 1]],
      ['0', '3h'],
      ['2', '2'],
    ] as const) {
      const rule = {...plainRule, from: kept(first), to: kept(last)}
      assert.deepEqual(
        planCompactions(events, [rule], nowMs).map(({range}) => [range.from, range.to]),
        expected,
        `${first} ${last}`,
      )
    }
    assert.deepEqual(parseKept('45m'), {kind: 'keep_span', ms: 45 * minuteMs})
    for (const text of ['soon', '-1', '1.5', '']) assert.equal(parseKept(text), undefined, text)
  })
})
