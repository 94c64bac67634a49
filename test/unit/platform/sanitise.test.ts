import assert from 'node:assert/strict'
import fc from 'fast-check'
import {createStreamSanitiser, forTerminal, forTerminalLine, spelledOut} from '../../../src/platform/sanitise.js'

const hostile = fc
  .array(
    fc.constantFrom(
      'a',
      'é',
      '🟢',
      '\n',
      '\t',
      '\r',
      '\r\n',
      '\u001b[31m',
      '\u001b]0;title\u0007',
      '\u001b]8;;http://x\u001b\\',
      '\u001b',
      '[',
      '\u0007',
      '\u009b2J',
      '\u202e',
      '\u0000',
      '漢',
    ),
    {maxLength: 40},
  )
  .map((parts) => parts.join(''))

const seed = Number(process.env['JP_SEED'] ?? 1)
const numRuns = process.env['JP_SOAK'] === '1' ? 20_000 : 500

describe('sanitise', () => {
  it('W31: escape sequences, control characters and bidirectional overrides never reach the terminal', () => {
    assert.equal(forTerminal('a\u001b[31mred\u001b[0m\u0007 \u001b]0;title\u0007b\u202ec\r\nd\re\tf'), 'ared bc\nde\tf')
    assert.equal(forTerminalLine('two\nlines\tx'), 'two lines x')
  })

  it('W31: no text that was sanitised holds a control character (property)', () => {
    fc.assert(
      fc.property(
        hostile,
        (text) => !/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/.test(forTerminal(text)),
      ),
      {seed, numRuns},
    )
  })

  it('W31: a text sanitised in pieces is the text sanitised whole (property)', () => {
    const property = fc.property(hostile, fc.array(fc.nat(60), {maxLength: 6}), (text, cuts) => {
      const sanitiser = createStreamSanitiser()
      const bounds = [
        0,
        ...cuts.map((cut) => Math.min(cut, text.length)).sort((left, right) => left - right),
        text.length,
      ]
      const pieces = bounds.slice(1).map((end, index) => text.slice(bounds[index], end))
      const streamed = pieces.map((piece) => sanitiser.push(piece)).join('') + sanitiser.end()
      assert.equal(streamed, forTerminal(text))
    })
    fc.assert(property, {seed, numRuns})
  })

  it('W31: an approval shows what is invisible', () => {
    assert.equal(spelledOut('rm\u202e fr-\u200b/\u001b[8m'), 'rm<U+202E> fr-<U+200B>/<U+001B>[8m')
  })
})
