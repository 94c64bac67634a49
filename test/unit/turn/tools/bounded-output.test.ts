import assert from 'node:assert/strict'
import {Readable} from 'node:stream'
import {gatherBounded} from '../../../../src/turn/tools/bounded-output.js'

const gathered = async (...chunks: readonly Buffer[]): Promise<string> => {
  const output = gatherBounded(Readable.from(chunks, {objectMode: false}))
  await output.ended
  return output.text()
}

describe('what a tool prints', () => {
  it('W26: stays whole up to the bound, and keeps its beginning and its end beyond it', async () => {
    const whole = 'x'.repeat(256 * 1024)
    assert.equal(await gathered(Buffer.from(whole)), whole)
    const long = await gathered(Buffer.from(`START${'x'.repeat(1024 * 1024)}`), Buffer.from('END'))
    assert.ok(long.startsWith('START'))
    assert.ok(/\[… \d+ bytes left out …\]/.test(long))
    assert.ok(long.endsWith('END'))
    assert.ok(long.length < 300 * 1024)
  })

  it('FR-26: never ends inside a character, wherever the bound falls', async () => {
    for (const offset of [-3, -2, -1, 0, 1, 2, 3]) {
      for (const bound of [192 * 1024, 256 * 1024]) {
        const text = await gathered(Buffer.from(`${'a'.repeat(bound + offset)}🟢${'b'.repeat(512 * 1024)}🟢`))
        assert.ok(text.isWellFormed())
        assert.ok(!text.includes('\ufffd'), `offset ${offset}`)
      }
    }
  })

  it('FR-27: bytes that are no text become U+FFFD', async () => {
    assert.equal(await gathered(Buffer.from('caf\xe9\n', 'latin1')), 'caf\ufffd\n')
  })
})
