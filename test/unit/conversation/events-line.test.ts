import assert from 'node:assert/strict'
import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {eventsLine} from '../../../src/conversation/events-line.js'
import {parseEvents} from '../../../src/conversation/events-text.js'
import {repository} from '../../support/jp.js'

const fixtures = join(repository, 'test', 'fixtures', 'conversations')
const encoded = (text: string): string => Buffer.from(text).toString('base64')
const event = (fields: object): object => ({timestamp: '2026-09-01 08:00:00.0', ...fields})

const lineOf = (text: string): string => eventsLine(Buffer.from(text), 'events.json').toString()
const valuesOf = (text: string): unknown =>
  parseEvents(Buffer.from(text), 'events.json').map(({value}) => JSON.parse(JSON.stringify(value)))

describe('events on one line', () => {
  for (const name of readdirSync(fixtures)) {
    it(`P17, Q17: ${name}: the line holds what the events are`, () => {
      const text = readFileSync(join(fixtures, name, 'events.json'), 'utf8')
      assert.deepEqual(JSON.parse(lineOf(text)), valuesOf(text))
      assert.doesNotMatch(lineOf(text), /[\r\n]/)
    })
  }

  it('P17: encoded fields are decoded wherever they stand, and what is between them stays as the file spells it', () => {
    const call = event({
      type: 'tool_call_request',
      id: '1',
      name: 'x',
      arguments: {a: encoded('ä\n'), b: [1, encoded('c')]},
    })
    const response = event({type: 'tool_call_response', id: '1', content: encoded('line\r\nline'), is_error: false})
    const marked = event({type: 'turn_start', metadata: {k: encoded('v')}})
    const unknown = event({type: 'from_the_future', content: encoded('stays'), big: 1})
    const words = event({type: 'chat_request', content: 'a\r\nb\u2028 "🟢" \\'})
    const all = [call, words, response, unknown, marked, words, call]
    for (const list of [all, all.toReversed(), [words], [call], []]) {
      for (const text of [
        JSON.stringify(list),
        `${JSON.stringify(list, undefined, 2)}\n`,
        JSON.stringify(list, undefined, '\t').replaceAll('\n', '\r\n'),
      ]) {
        assert.deepEqual(JSON.parse(lineOf(text)), valuesOf(text))
        assert.doesNotMatch(lineOf(text), /[\r\n]/)
      }
    }
    assert.match(
      lineOf(JSON.stringify(all).replace('"big":1', '"big":12345678901234567890')),
      /"big":12345678901234567890/,
    )
  })

  it('W20: damage is refused as in any other reading', () => {
    for (const text of [
      '',
      '[',
      '[1]',
      '{}',
      '[{"type":"turn_start"}]',
      '[]x',
      '[{"timestamp":"x","type":"chat_request"}]',
    ]) {
      assert.throws(() => lineOf(text), {code: 'conversation_corrupt'}, text)
    }
  })
})
