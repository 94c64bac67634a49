import assert from 'node:assert/strict'
import fc from 'fast-check'
import {formatConfigText} from '../../../src/config/format-text.js'
import {tomlComments} from '../../../src/config/position-toml.js'
import {parseConfigText} from '../../../src/config/syntax.js'
import {fuzz} from '../../support/fuzz.js'

const pieces = [
  'a=1',
  '  b = "x # no comment"  ',
  "'c d' . e   =[ 1,\n   2 ] # list",
  'f = """\n  keep = this  \n\n\n"""',
  "g = '''\n[no.header]\n'''",
  '# a comment  ',
  '   ',
  '',
  '[t]',
  '  [ u . v ]   # table',
  '[[w]]',
  'h = {x=1, y = "}"}',
]

describe('the plain form of configuration', () => {
  it('facts 8.2: holds the same values and comments, and is its own plain form', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.constantFrom(...pieces)),
        fc.constantFrom('\n', '\r\n'),
        async (lines, end) => {
          const text = lines.join('\n').replaceAll('\n', end)
          const file = await parseConfigText('x.toml', 'toml', text)
          const plain = await formatConfigText(file)
          const again = await parseConfigText('x.toml', 'toml', plain)
          assert.deepEqual(again.value, file.value)
          assert.deepEqual(tomlComments(plain), tomlComments(text))
          assert.equal(await formatConfigText(again), plain)
        },
      ),
      fuzz(100),
    )
  })
})
