import assert from 'node:assert/strict'
import {execFileSync} from 'node:child_process'
import fc from 'fast-check'
import {pasteable} from '../../../src/bootstrap/pasteable.js'
import {oneTarget, parseTarget} from '../../../src/bootstrap/target.js'
import {hasCode} from '../../../src/errors/jp-error.js'
import {quoteForShell} from '../../../src/platform/shell-quote.js'
import {fuzz} from '../../support/fuzz.js'

describe('targets', () => {
  it('W7: keywords are read as such, everything else is text', () => {
    const kinds = {
      '?': 'pick',
      '?s': 'pick-session',
      '?session': 'pick-session',
      s: 'previous',
      session: 'previous',
      r: 'recent',
      recent: 'recent',
      cwd: 'cwd',
      '.': 'cwd',
      '-': 'stdin',
      help: 'help',
      '': 'empty',
      '  ': 'empty',
      './r': 'text',
      a1b2c: 'text',
      'app@wt': 'text',
      __proto__: 'text',
      constructor: 'text',
    }
    for (const [text, kind] of Object.entries(kinds)) assert.equal(parseTarget(text).kind, kind, text)
    assert.equal(parseTarget('__proto__').kind, 'text')
  })

  it('W7, Q30: any text is a target, and text comes back as it was', () => {
    fc.assert(
      fc.property(fc.string({unit: 'binary'}), (text) => {
        const target = parseTarget(text)
        assert.ok(target.kind !== 'text' || target.text === text)
      }),
      fuzz(100),
    )
  })

  it('W7: a target given twice is a usage error', () => {
    assert.equal(oneTarget(undefined, []), undefined)
    assert.equal(oneTarget('a', []), 'a')
    assert.equal(oneTarget(undefined, ['b']), 'b')
    assert.throws(
      () => oneTarget('a', ['b']),
      (error: unknown) => hasCode(error, 'usage'),
    )
  })
})

describe('commands to paste', () => {
  const cases: [string[], string | undefined, string][] = [
    [['c', 'ls'], undefined, 'jp -w /r c ls'],
    [['-w', 'x', 'c', 'ls'], 'x', 'jp -w /r c ls'],
    [['-wx', 'c', 'ls'], 'x', 'jp -w /r c ls'],
    [['c', '--workspace=x', 'ls'], 'x', 'jp -w /r c ls'],
    [['c', 'ls', '--workspace', 'x', '--archived'], 'x', 'jp -w /r c ls --archived'],
    [['c', '-qw', 'x', 'ls'], 'x', 'jp -w /r c -q ls'],
    [['q', '-w', 'x', '--', '-w', 'x'], 'x', 'jp -w /r q -- -w x'],
    [['-w', 'x', 'q', '--', '-wx'], 'x', 'jp -w /r q -- -wx'],
    [['q', "it's", 'x'], undefined, `jp -w /r q 'it'\\''s' x`],
  ]
  for (const [argv, target, expected] of cases) {
    it(`W8: ${argv.join(' ')} becomes ${expected}`, () => assert.equal(pasteable(argv, target, '/r'), expected))
  }

  it('W8, W31: what is quoted comes back from a shell as it was, and hides nothing', () => {
    const texts = ['', 'a b', "it's", '$HOME `x` "y" \\', 'ünï', 'a\nb\tc', '\u001b[31m\\red', 'x\u202ey', '\u200b']
    for (const text of texts) {
      const quoted = quoteForShell(text)
      assert.doesNotMatch(quoted, /[\u0000-\u001f\u007f\u202e\u200b]/)
      const env = {LC_ALL: 'C.UTF-8', HOME: '/h'}
      assert.equal(execFileSync('bash', ['-c', `printf %s ${quoted}`], {encoding: 'utf8', env}), text)
    }
  })
})
