import assert from 'node:assert/strict'
import {closeSync, openSync} from 'node:fs'
import fc from 'fast-check'
import {type ManifestReading, scanManifest} from '../../../src/plugin/manifest-scan.js'
import {createScratch, type Scratch} from '../../support/scratch.js'

const plain = {protocol: 1, description: 'Count notes', command: ['notes', 'count']}

describe('manifest scan', () => {
  let scratch: Scratch
  before(() => {
    scratch = createScratch()
  })
  after(() => scratch.remove())

  const scan = (content: string | Uint8Array): ManifestReading => {
    const path = scratch.write('jp-x', content)
    const fd = openSync(path, 'r')
    try {
      return scanManifest(fd, 'jp-x')
    } finally {
      closeSync(fd)
    }
  }
  const line = (manifest: unknown, version = 1): string => `# jp-plugin/v${version} ${JSON.stringify(manifest)}\n`
  const reason = (content: string | Uint8Array): string => {
    const reading = scan(content)
    assert.equal(reading.state, 'invalid', JSON.stringify(reading))
    return reading.state === 'invalid' ? reading.reason : ''
  }

  it('P2: a comment line of a script is a manifest; unknown keys are ignored (P4)', () => {
    assert.deepEqual(scan(`#!/bin/sh\n${line({...plain, later: {x: 1}})}exit 0\n`), {
      state: 'valid',
      manifest: {...plain, scope: 'single'},
    })
  })

  for (const [end, name] of [
    ['\n', 'a line feed'],
    ['\0junk', 'a NUL'],
    ['', 'the end of the file'],
    ['\r\n', 'a carriage return and a line feed'],
  ] as const) {
    it(`P2: the JSON ends at ${name}`, () => {
      assert.equal(scan(`\x7fELF\0jp-plugin/v1 ${JSON.stringify(plain)}${end}`).state, 'valid')
    })
  }

  it('P2: no marker is no manifest', () => {
    for (const content of ['', 'jp-plugin/v1', 'jp-plugin/v1{}', 'jp-plugin/vX {}', 'jp-plugin/v {}']) {
      assert.deepEqual(scan(content), {state: 'absent'}, content)
    }
  })

  it('P2: the marker stands exactly once, whatever its versions', () => {
    assert.match(reason(line(plain) + line(plain)), /more than one/)
    assert.match(reason(line(plain) + line(plain, 2)), /more than one/)
    assert.match(reason(line({...plain, description: 'see jp-plugin/v1 {}'})), /more than one/)
  })

  it('P2: a marker of another version was built for another jp', () => {
    assert.deepEqual(scan(line(plain, 2)), {state: 'foreign', version: 2})
  })

  it('P2: at most 64 KiB', () => {
    const padded = (bytes: number): string => {
      const bare = JSON.stringify({...plain, pad: ''})
      return `jp-plugin/v1 ${JSON.stringify({...plain, pad: 'x'.repeat(bytes - bare.length)})}`
    }
    assert.equal(scan(padded(64 * 1024)).state, 'valid')
    assert.match(reason(padded(64 * 1024 + 1)), /longer than 64 KiB/)
  })

  it('P2: UTF-8, on one line', () => {
    assert.match(
      reason(Buffer.concat([Buffer.from('jp-plugin/v1 {"a":"'), Buffer.from([0xe9]), Buffer.from('"}')])),
      /not UTF-8/,
    )
    assert.match(reason('jp-plugin/v1 {"protocol":\n1}'), /not JSON on one line/)
  })

  it('P2: no control characters in any string but tab and line feed', () => {
    assert.equal(scan(line({...plain, description: 'a\tb\nc'})).state, 'valid')
    for (const bad of ['\u001b[2J', '\u0000', '\r', '\u007f', '\u009b']) {
      assert.match(reason(line({...plain, description: `x${bad}`})), /control character/)
      assert.match(reason(line({...plain, deep: [{[`k${bad}`]: 1}]})), /control character/)
    }
  })

  it('S1, S2: the scope: single when absent, multi from protocol 12 on, and nothing else', () => {
    const scoped = (protocol: number, scope?: unknown) => line({...plain, protocol, workspace_scope: scope})
    assert.equal(scan(scoped(11, 'single')).state, 'valid')
    assert.equal(scan(scoped(12, 'multi')).state, 'valid')
    assert.match(reason(scoped(1, 'both')), /jp-x.*"workspace_scope" must be "single" or "multi", not "both"/)
    assert.match(reason(scoped(1, null)), /not null/)
    assert.match(reason(scoped(11, 'multi')), /needs "protocol" 12/)
    assert.match(reason(scoped(12)), /needs a "workspace_scope"/)
  })

  it('P2: every field is checked; what can be read of the claim is kept', () => {
    for (const wrong of [
      {...plain, protocol: 0},
      {...plain, protocol: '1'},
      {...plain, protocol: 1.5},
      {...plain, description: ' '},
      {...plain, description: 1},
    ]) {
      const reading = scan(line(wrong))
      assert.deepEqual(reading.state === 'invalid' && reading.claim, ['notes', 'count'], JSON.stringify(wrong))
    }
    for (const command of [undefined, [], 'notes', [''], ['a b'], ['-x'], ['a', 1], ['a\nb']]) {
      const reading = scan(line({...plain, command}))
      assert.deepEqual(reading.state === 'invalid' && reading.claim, [], JSON.stringify(command))
    }
  })

  it('Q30: a marker is found at any offset, also across the blocks that a big file is read in', () => {
    const seed = Number(process.env['JP_SEED'] ?? Date.now() % 1e9)
    fc.assert(
      fc.property(fc.integer({min: 256 * 1024 - 200, max: 256 * 1024 + 200}), (offset) => {
        const content = Buffer.concat([
          Buffer.alloc(offset, 'jp-plugin/v'),
          Buffer.from(`\n${line(plain)}`),
          Buffer.alloc(300_000),
        ])
        assert.equal(scan(content).state, 'valid')
      }),
      {seed, numRuns: 60},
    )
  })

  it('Q30: whatever the bytes are, reading them ends in an answer', () => {
    const seed = Number(process.env['JP_SEED'] ?? Date.now() % 1e9)
    const junk = fc.oneof(
      fc.uint8Array({maxLength: 200}),
      fc.string().map((text) => Buffer.from(`jp-plugin/v1 {${text}`)),
    )
    fc.assert(
      fc.property(junk, (bytes) => assert.ok(['valid', 'absent', 'foreign', 'invalid'].includes(scan(bytes).state))),
      {seed, numRuns: 300},
    )
  })
})
