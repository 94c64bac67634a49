import assert from 'node:assert/strict'
import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {Readable} from 'node:stream'
import {readLines} from '../../../src/plugin/host/inbox.js'
import {readPluginLine} from '../../../src/protocol/read-plugin-line.js'
import {repository} from '../../support/jp.js'

/** Every line that a plugin says in the golden transcripts, and some with characters of every length. */
const samples = (): string[] => {
  const folder = join(repository, 'test', 'protocol')
  const golden = readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'))
    .map((line) => JSON.parse(line))
    .flatMap((line) => ('plugin' in line ? [JSON.stringify(line.plugin)] : []))
  return [...new Set(golden), '{"type":"print","text":"—é漢🟢\\u2028"}']
}

const decode = async (...parts: readonly Uint8Array[]): Promise<unknown[]> => {
  const out: unknown[] = []
  for await (const line of readLines(Readable.from(parts)))
    out.push(line.kind === 'line' ? readPluginLine(line.text) : line)
  return out
}

describe('framing on the plugin pipe', () => {
  it('Q27, P19, FR-32: every message, split at every byte boundary, decodes alike', async () => {
    let splits = 0
    for (const text of samples()) {
      const bytes = Buffer.from(`${text}\n`)
      const whole = await decode(bytes)
      assert.equal(whole.length, 1)
      for (let at = 1; at < bytes.length; at++) {
        assert.deepEqual(await decode(bytes.subarray(0, at), bytes.subarray(at)), whole, `${text} at ${at}`)
        splits += 1
      }
      assert.deepEqual(await decode(...[...bytes].map((byte) => Uint8Array.of(byte))), whole, `${text} byte by byte`)
    }
    assert.ok(splits > 1000, `${splits} splits`)
  })

  it('Q27: two messages, split at every byte boundary, stay two', async () => {
    const bytes = Buffer.from('{"type":"ready"}\n{"type":"log","level":"info","message":"é🟢"}\r\n')
    const whole = await decode(bytes)
    assert.equal(whole.length, 2)
    for (let at = 1; at < bytes.length; at++)
      assert.deepEqual(await decode(bytes.subarray(0, at), bytes.subarray(at)), whole)
  })
})
