import assert from 'node:assert/strict'
import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import fc from 'fast-check'
import {createElementScanner} from '../../../src/conversation/element-scanner.js'
import {eventText} from '../../../src/conversation/event-codec.js'
import {
  appendElements,
  elementSlices,
  eventsOf,
  parseEvents,
  streamEvents,
} from '../../../src/conversation/events-text.js'
import {JpError} from '../../../src/errors/jp-error.js'
import {seed} from '../../support/fuzz.js'
import {repository} from '../../support/jp.js'

const fixture = (name: string): Buffer => readFileSync(join(repository, 'test', 'fixtures', 'conversations', name))
const at = '2026-09-01 08:00:00.5'

const damage = (text: string | Buffer): string => {
  try {
    parseEvents(Buffer.from(text), 'events.json')
  } catch (error) {
    assert.ok(error instanceof JpError)
    assert.equal(error.code, 'conversation_corrupt')
    return error.message
  }
  return 'none'
}

describe(`events.json (seed ${seed})`, () => {
  it('W18: an append leaves every byte that was there, and looks as the original implementation writes it', () => {
    const before = Buffer.from(`[\n  {\n    "timestamp": "${at}",\n    "type": "turn_start"\n  }\n]\n`)
    const after = appendElements(before, [
      eventText({type: 'tool_call_request', id: 'c1', name: 'ls', arguments: {dir: 'src', depth: 1}}, at),
      eventText({type: 'chat_response', message: 'héllo 🟢', metadata: {openai_item_id: 'abc'}}, at),
    ])
    assert.equal(
      after.toString(),
      `[
  {
    "timestamp": "${at}",
    "type": "turn_start"
  },
  {
    "timestamp": "${at}",
    "type": "tool_call_request",
    "id": "c1",
    "name": "ls",
    "arguments": {
      "dir": "c3Jj",
      "depth": 1
    }
  },
  {
    "timestamp": "${at}",
    "type": "chat_response",
    "message": "héllo 🟢",
    "metadata": {
      "openai_item_id": "YWJj"
    }
  }
]
`,
    )
  })

  it('W18: unknown types, unknown fields, odd spacing and CRLF survive an append byte for byte and in place', () => {
    const odd = `[ {"type":"from_the_future","timestamp":"?","z":1.0e+2,"a":"\\u00e9"},\r\n\t{"timestamp":"${at}","type":"turn_start","later":[1, 2]} ]\r\n`
    const after = appendElements(Buffer.from(odd), [eventText({type: 'turn_start'}, at)]).toString()
    assert.ok(after.startsWith(odd.slice(0, odd.indexOf(' ]'))))
    assert.equal(parseEvents(Buffer.from(after), 'events.json').length, 3)
    assert.equal(parseEvents(Buffer.from(after), 'events.json')[0]?.text, odd.slice(2, odd.indexOf(',\r')))
  })

  it('W18: elements are found whatever the chunks are', () => {
    const whole = fixture('every-type/events.json')
    const expected = elementSlices(whole, 'events.json').map(String)
    assert.equal(expected.length, parseEvents(whole, 'events.json').length)
    for (const size of [1, 2, 3, 7, 64, 1000]) {
      const scanner = createElementScanner()
      const found: string[] = []
      for (let from = 0; from < whole.length; from += size)
        found.push(...scanner.push(whole.subarray(from, from + size)).map(String))
      assert.equal(scanner.end(), undefined)
      assert.deepEqual(found, expected)
    }
  })

  it('Q30: any JSON objects come back as they were, whole or in chunks', () => {
    const element = fc.dictionary(fc.string(), fc.jsonValue()).map((fields) => ({...fields, type: 'x', timestamp: 't'}))
    fc.assert(
      fc.property(fc.array(element), fc.integer({min: 1, max: 50}), fc.constantFrom(0, 2), (events, size, indent) => {
        const texts = events.map((event) => JSON.stringify(event, undefined, indent))
        const bytes = eventsOf(texts)
        assert.deepEqual(
          parseEvents(bytes, 'f').map((event) => event.text),
          texts,
        )
        const chunks = Array.from({length: Math.ceil(bytes.length / size)}, (_, index) =>
          bytes.subarray(index * size, (index + 1) * size),
        )
        assert.deepEqual(
          [...streamEvents(chunks, 'f')].map((event) => event.text),
          texts,
        )
      }),
      {seed, numRuns: 200},
    )
  })

  it('Q30: any bytes at all are read or refused, never a crash', () => {
    fc.assert(
      fc.property(fc.uint8Array({maxLength: 200}), (bytes) => {
        damage(Buffer.from(bytes))
      }),
      {seed, numRuns: 500},
    )
    const whole = fixture('every-type/events.json')
    for (let end = 0; end < whole.length - 2; end += 7) assert.notEqual(damage(whole.subarray(0, end)), 'none')
  })

  it('W20: each kind of damage is named', () => {
    const event = `{"timestamp":"${at}","type":"turn_start"}`
    assert.match(damage(''), /events\.json: it is empty\./)
    assert.match(damage(`[${event},{"timest`), /it is cut off at byte \d+\./)
    assert.match(damage(`\ufeff[${event}]`), /it starts with a byte order mark\./)
    assert.match(damage(Buffer.from([0x5b, 0xff, 0x5d])), /it is not UTF-8\./)
    assert.match(damage('\0\0\0\0'), /it is no JSON array: it starts with byte 0x00\./)
    assert.match(damage('{}'), /it is no JSON array: it starts with "\{"\./)
    assert.match(damage('[1]'), /an element is no object: "1" at byte 1\.|it is no object/)
    assert.match(damage(`[${event}] x`), /there is more behind its end: "x"/)
    assert.match(damage(`[${event},{"type":"turn_start"}]`), /event 2 of 2: it has no "timestamp"\./)
    assert.match(damage(`[{"timestamp":"${at}"}]`), /event 1 of 1: it has no "type"\./)
    assert.match(damage(`[{"timestamp":"${at}","type":"chat_request"}]`), /its type is chat_request, and "content"/)
    assert.match(
      damage(`[{"timestamp":"${at}","type":"chat_request","content":"a\0b"}]`),
      /it is not JSON at character/,
    )
  })

  it('W18: base64 is decoded where it is used and nowhere else, and what is none stays', () => {
    const [known] = parseEvents(
      eventsOf([`{"timestamp":"${at}","type":"tool_call_response","id":"YWJj","content":"dGVzdMOp","is_error":false}`]),
      'f',
    )
    assert.deepEqual(known?.value, {
      timestamp: at,
      type: 'tool_call_response',
      id: 'YWJj',
      content: 'testé',
      is_error: false,
    })
    const [plain] = parseEvents(
      eventsOf([`{"timestamp":"${at}","type":"tool_call_response","id":"1","content":"test","is_error":true}`]),
      'f',
    )
    assert.equal(plain?.value['content'], 'test')
  })

  it('FR-26: half a surrogate pair is written as U+FFFD', () => {
    const text = eventText({type: 'chat_response', message: 'cut \ud83d'}, at)
    assert.ok(text.includes('cut \ufffd'))
  })
})
