import assert from 'node:assert/strict'
import {Parser} from '@oclif/core'
import fc from 'fast-check'
import Serve from '../../../commands/serve.js'
import {readServeFlags, serveOptions} from '../../../src/daemon/serve-options.js'
import {fuzz} from '../../support/fuzz.js'

const full = async (argv: readonly string[]): Promise<object | 'refused'> => {
  try {
    const {flags} = await Parser.parse([...argv], {flags: Serve.flags, strict: true})
    return flags
  } catch {
    return 'refused'
  }
}

const words = [
  '--port',
  '--port=0',
  '--hostname',
  '--token',
  '--token-file',
  '--no-auth',
  '--require-auth',
  '--max-sessions',

  '--max-total-sessions=',
  '--event-ring-size',
  '--agent',
  '--agent=a b',
  '4170',
  'x',
  '',
  '-1',
  '--',
  '-x',
  '--nope',
]

describe('flags of jp serve', () => {
  it('D2: the fast path reads what the full parser reads, or leaves it to that', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...words), {maxLength: 5}), async (argv) => {
        const fast = readServeFlags(argv)
        if (fast !== undefined) assert.deepEqual(fast, await full(argv), argv.join(' '))
      }),
      fuzz(2000),
    )
  })

  it('D2: the plain forms take the fast path', () => {
    const argv = ['--port', '0', '--hostname=::1', '--no-auth', '--max-sessions', '4', '--agent', 'a --acp']
    assert.deepEqual(readServeFlags(argv), {
      port: '0',
      hostname: '::1',
      'no-auth': true,
      'max-sessions': '4',
      agent: 'a --acp',
    })
    assert.deepEqual(readServeFlags([]), {})
  })

  it('D1, D5: numbers are checked, 0 is no cap, and there are defaults', () => {
    const options = serveOptions({'max-sessions': '0'})
    assert.equal(options.maxSessions, undefined)
    assert.deepEqual(
      [serveOptions({}).port, serveOptions({}).maxSessions, serveOptions({}).maxTotalSessions],
      [4170, 32, undefined],
    )
    for (const flags of [
      ...['-1', '1.5', '65536', 'x', '', '0x10'].map((port) => ({port})),
      ...['-1', '1.5', ''].map((number) => ({'max-sessions': number})),
      {'event-ring-size': '0'},
      {'no-auth': true, 'require-auth': true},
      {'no-auth': true, token: 'abcdefgh'},
      {token: 'abcdefgh', 'token-file': 'f'},
    ]) {
      assert.throws(() => serveOptions(flags), {code: 'usage'}, JSON.stringify(flags))
    }
  })
})
