import assert from 'node:assert/strict'
import {readCommandLine} from '../../../src/cli/argv.js'
import {type CommandEntry, createCommandTable} from '../../../src/cli/command-table.js'
import {JpError} from '../../../src/errors/jp-error.js'

const entry = (id: string, rest: Partial<CommandEntry> = {}): [string, CommandEntry] => [
  id,
  {id, flags: {}, args: {}, ...rest},
]

const table = createCommandTable(
  Object.fromEntries([
    entry('workspace:ls'),
    entry('conversation:ls', {
      flags: {archived: {name: 'archived', type: 'boolean'}, limit: {name: 'limit', char: 'l', type: 'option'}},
    }),
    entry('query', {
      flags: {
        new: {name: 'new', char: 'n', type: 'boolean', allowNo: true},
        model: {name: 'model', char: 'm', type: 'option'},
      },
      args: {message: {name: 'message'}},
    }),
    entry('serve', {manyWorkspaces: true}),
  ]),
)

const read = (...argv: string[]) => readCommandLine(argv, table)

const asCommand = (...argv: string[]) => {
  const line = read(...argv)
  assert.equal(line.kind, 'command', `${argv.join(' ')} is ${line.kind}`)
  return line.kind === 'command' ? {id: line.command.id, argv: line.argv, globals: line.globals} : assert.fail()
}

const usageError = (...argv: string[]): JpError => {
  try {
    read(...argv)
  } catch (error) {
    if (error instanceof JpError) return error
  }
  return assert.fail(`${argv.join(' ')} was accepted`)
}

describe('argv', () => {
  for (const argv of [
    ['-w', 'X', 'conversation', 'ls'],
    ['-wX', 'conversation', 'ls'],
    ['--workspace', 'X', 'conversation', 'ls'],
    ['--workspace=X', 'conversation', 'ls'],
    ['c', '-w', 'X', 'ls'],
    ['c', '-wX', 'ls'],
    ['c', '--workspace=X', 'ls'],
    ['c', 'ls', '-w', 'X'],
    ['c', 'ls', '-wX'],
    ['c', 'ls', '--workspace', 'X'],
    ['conversations', 'list', '--workspace=X'],
  ]) {
    it(`W12: "jp ${argv.join(' ')}" acts in X`, () => {
      const {id, globals, argv: rest} = asCommand(...argv)
      assert.deepEqual({id, workspace: globals.workspace, rest}, {id: 'conversation:ls', workspace: ['X'], rest: []})
    })
  }

  it('W12: global flags stand between the flags of a command, which keep their values', () => {
    const {argv, globals} = asCommand('q', '-n', '-q', '--model', '-w', '-w', 'X', 'hello', '--cfg', 'a=1', 'there')
    assert.deepEqual(argv, ['-n', '--model', '-w', 'hello', 'there'])
    assert.deepEqual([globals.quiet, globals.workspace, globals.cfg], [true, ['X'], ['a=1']])
  })

  it('W12: a cluster of short flags is split between jp and the command', () => {
    const {argv, globals} = asCommand('q', '-vqnvw', 'X', 'hello')
    assert.deepEqual(argv, ['-n', 'hello'])
    assert.deepEqual([globals.quiet, globals.verbosity, globals.workspace], [true, 2, ['X']])
  })

  it('W12, FR-57: what follows -- is passed through untouched', () => {
    const {argv, globals} = asCommand('q', '-w', 'X', '--', '-w', 'Y', '--cfg', '--help')
    assert.deepEqual(argv, ['--', '-w', 'Y', '--cfg', '--help'])
    assert.deepEqual(globals.workspace, ['X'])
  })

  it('W12: a second -w is a usage error that names both, but for serve', () => {
    assert.match(usageError('-w', 'A', 'c', 'ls', '-w', 'B').message, /-w was given 2 times: A, B/)
    assert.deepEqual(asCommand('serve', '-w', 'A', '-w', 'B').globals.workspace, ['A', 'B'])
  })

  it('W12, FR-13: a repeatable flag never takes the next positional', () => {
    const {argv, globals} = asCommand('query', '--cfg', 'a.b=1', 'hello there')
    assert.deepEqual([argv, globals.cfg], [['hello there'], ['a.b=1']])
    const twice = asCommand('query', '-c', 'a=1', '--cfg=b=2', 'hello there', '-c', 'c=3')
    assert.deepEqual([twice.argv, twice.globals.cfg], [['hello there'], ['a=1', 'b=2', 'c=3']])
  })

  it('W12: a flag without its value names itself', () => {
    assert.equal(usageError('c', 'ls', '-w').message, '-w needs a value: -w TARGET.')
    assert.equal(usageError('c', 'ls', '--quiet=yes').message, '--quiet takes no value.')
  })

  it('Q4: an unknown flag suggests the nearest one, of jp and of the command', () => {
    assert.equal(usageError('c', 'ls', '--archivd').hint, 'Did you mean --archived?')
    assert.equal(usageError('c', 'ls', '--formt', 'json').hint, 'Did you mean --format?')
    assert.match(usageError('c', '--archived', 'ls').message, /has no flag --archived. Flags of a command stand behind/)
  })

  it('Q4: a bad --format and a bad --width say what is allowed', () => {
    assert.match(usageError('-F', 'xml', 'w', 'ls').hint ?? '', /auto, text, text-pretty, json, json-pretty/)
    assert.match(usageError('--width', 'wide', 'w', 'ls').message, /--width needs a number of columns, not "wide"/)
  })

  it('--help anywhere before -- is help for the words before it, and never runs anything', () => {
    assert.deepEqual(
      [read('c', 'ls', '--help', '--archived')].map((line) => line.kind === 'help' && line.id),
      ['conversation:ls'],
    )
    assert.equal(read('c', '-h').kind, 'help')
    assert.equal(read('q', 'how', '--', '--help').kind, 'command')
    assert.equal(read().kind, 'help')
    assert.equal(read('-q', '--version').kind, 'version')
  })

  it('P6, FR-57: what no built-in command takes is handed on untouched, after the global flags before it', () => {
    const line = read('-w', 'ws', '--cfg', 'a=1', 'foo', '--watch', '-x', '-w', 'z', '--', 'b', '', 'two\nlines')
    assert.equal(line.kind, 'external')
    assert.deepEqual(line.globals.workspace, ['ws'])
    assert.deepEqual(line.kind === 'external' && line.words, [
      'foo',
      '--watch',
      '-x',
      '-w',
      'z',
      '--',
      'b',
      '',
      'two\nlines',
    ])
  })

  it('P6: an unknown child of a built-in group is handed on with the words before it', () => {
    const line = read('c', '-w', 'ws', 'titles', '-w', 'z')
    assert.deepEqual(line.kind === 'external' && [line.words, line.at, line.globals.workspace], [
      ['c', 'titles', '-w', 'z'],
      'conversation',
      ['ws'],
    ])
  })

  it('W32: a word that is a name of every object is no command', () => {
    for (const word of ['__proto__', 'constructor', 'toString']) assert.equal(read(word).kind, 'external')
  })
})
