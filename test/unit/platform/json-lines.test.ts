import assert from 'node:assert/strict'
import {createLineFramer, encodeLine} from '../../../src/platform/json-lines.js'

const frame = (chunks: readonly Uint8Array[], maxBytes?: number): string[] => {
  const seen: string[] = []
  const framer = createLineFramer(
    {
      line: (text) => void seen.push(text),
      tooLong: (limit) => void seen.push(`<over ${limit}>`),
      notUtf8: (bytes) => void seen.push(`<not UTF-8: ${bytes.length}>`),
    },
    maxBytes,
  )
  for (const chunk of chunks) framer.push(chunk)
  framer.end()
  return seen
}

describe('json lines', () => {
  it('Q27, FR-32: every split of the bytes gives the same lines', () => {
    const lines = ['{"text":"—é漢🟢"}', '', '{"a":1}']
    const bytes = Buffer.from(`${lines.join('\n')}\r\nlast`)
    for (let at = 0; at <= bytes.length; at++) {
      assert.deepEqual(frame([bytes.subarray(0, at), bytes.subarray(at)]), [...lines, 'last'], `split at ${at}`)
    }
    assert.deepEqual(frame([...bytes].map((byte) => Uint8Array.of(byte))), [...lines, 'last'])
  })

  it('P19: a line over the bound is told once, and the next line is read', () => {
    assert.deepEqual(frame([Buffer.from('12345'), Buffer.from('67890\nok\n12345678\n')], 8), [
      '<over 8>',
      'ok',
      '12345678',
    ])
  })

  it('P19: invalid UTF-8 is told, not replaced', () => {
    assert.deepEqual(frame([Uint8Array.of(0x61, 0xff, 0x0a, 0x62, 0x0a)]), ['<not UTF-8: 2>', 'b'])
  })

  it('keeps a line whose chunk is reused by the stream', () => {
    const chunk = Buffer.from('abc')
    const seen: string[] = []
    const framer = createLineFramer({
      line: (text) => void seen.push(text),
      tooLong: () => undefined,
      notUtf8: () => undefined,
    })
    framer.push(chunk)
    chunk.fill(0x2e)
    framer.push(Buffer.from('\n'))
    assert.deepEqual(seen, ['abc'])
  })

  it('encodes a message as one line', () => {
    assert.equal(encodeLine({text: 'a\nb'}), '{"text":"a\\nb"}\n')
  })
})
