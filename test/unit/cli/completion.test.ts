import assert from 'node:assert/strict'
import {type CommandEntry, createCommandTable} from '../../../src/cli/command-table.js'
import {type CompletionSources, complete} from '../../../src/cli/completion/complete.js'

const entry = (id: string, rest: Partial<CommandEntry> = {}): [string, CommandEntry] => [
  id,
  {id, flags: {}, args: {}, summary: `about ${id}`, ...rest},
]

const table = createCommandTable(
  Object.fromEntries([
    entry('conversation:ls', {flags: {archived: {name: 'archived', type: 'boolean'}}}),
    entry('conversation:show', {args: {target: {name: 'target'}}}),
    entry('workspace:use', {args: {target: {name: 'target'}}}),
    entry('config:set', {args: {assignment: {name: 'assignment'}}}),
    entry('query', {
      flags: {id: {name: 'id', char: 'i', type: 'option'}, model: {name: 'model', char: 'm', type: 'option'}},
      args: {message: {name: 'message'}},
    }),
  ]),
)

const one = async (value: string) => [{value, text: ''}]
const sources: CompletionSources = {
  targets: () => one('a1b2c'),
  conversations: () => one('jp-c17600000000'),
  configKeys: () => one('assistant.name'),
  pluginWords: async (words) =>
    words.length === 0
      ? [{value: 'notes', text: 'Count notes'}]
      : words[0] === 'notes'
        ? [{value: 'count', text: ''}]
        : [],
}

const values = async (...words: string[]): Promise<string[]> =>
  (await complete(words, table, sources)).map((candidate) => candidate.value)

describe('completion', () => {
  it('Q6: words of commands and of plugins, aliases understood', async () => {
    assert.deepEqual(await values(''), ['config', 'conversation', 'query', 'workspace', 'notes'])
    assert.deepEqual(await values('co'), ['config', 'conversation'])
    assert.deepEqual(await values('c', ''), ['ls', 'show'])
    assert.deepEqual(await values('-w', 'x', 'c', 'l'), ['ls'])
    assert.deepEqual(await values('notes', ''), ['count'])
  })

  it('Q6: flags of the command and of jp', async () => {
    assert.deepEqual(await values('c', 'ls', '--ar'), ['--archived'])
    assert.deepEqual(await values('c', 'ls', '--w'), ['--workspace', '--width'])
  })

  it('Q6: values: targets, ids, keys, options; attached and apart', async () => {
    assert.deepEqual(await values('-w', ''), ['a1b2c'])
    assert.deepEqual(await values('c', 'ls', '--workspace=a1'), ['--workspace=a1b2c'])
    assert.deepEqual(await values('q', '--id', 'jp'), ['jp-c17600000000'])
    assert.deepEqual(await values('q', '-i', ''), ['jp-c17600000000'])
    assert.deepEqual(await values('c', 'show', ''), ['jp-c17600000000'])
    assert.deepEqual(await values('w', 'use', ''), ['a1b2c'])
    assert.deepEqual(await values('config', 'set', 'assist'), ['assistant.name'])
    assert.deepEqual(await values('--format', 'json'), ['json', 'json-pretty'])
  })

  it('Q6: nothing where nothing is known: a message, and behind --', async () => {
    assert.deepEqual(await values('q', 'he'), [])
    assert.deepEqual(await values('q', '--model', ''), [])
    assert.deepEqual(await values('q', '--', ''), [])
  })
})
