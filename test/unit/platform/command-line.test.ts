import assert from 'node:assert/strict'
import {splitCommandLine} from '../../../src/platform/command-line.js'

describe('command line', () => {
  it('D1: splits at blanks and takes quotes and backslashes as a shell does', () => {
    const cases: readonly (readonly [string, readonly string[]])[] = [
      ['agent', ['agent']],
      ['  agent   --acp ', ['agent', '--acp']],
      [`'a b' "c d" e\\ f`, ['a b', 'c d', 'e f']],
      [`a'b'"c"`, ['abc']],
      [`x '' ""`, ['x', '', '']],
      [`"a\\"b" 'a\\b' "a\\b"`, ['a"b', 'a\\b', 'a\\b']],
      ['$HOME *.ts;x', ['$HOME', '*.ts;x']],
    ]
    for (const [line, words] of cases) assert.deepEqual([...splitCommandLine(line)], [...words], line)
  })

  it('D1: refuses an open quote and an empty line', () => {
    for (const line of ['', '  ', "a 'b", 'a "b']) assert.throws(() => splitCommandLine(line), {code: 'usage'}, line)
  })
})
