import assert from 'node:assert/strict'
import {join} from 'node:path'
import {writeConversation} from '../support/conversations.js'
import {type Run, runJp} from '../support/jp.js'
import {startModelServer} from '../support/model-server.js'
import {startOnTerminal} from '../support/pty.js'
import {createScratch, type Scratch} from '../support/scratch.js'

describe('jp conversation compact, jp tool', () => {
  let scratch: Scratch
  let root: string

  beforeEach(() => {
    scratch = createScratch()
    root = scratch.checkout('app', 'abcde')
    scratch.write('app/.jp/config.toml', '[assistant.model]\nid = "echo/echo"\n')
  })
  afterEach(() => scratch.remove())

  const jp = (args: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<Run> =>
    runJp(args, {cwd: root, env: {...scratch.env, JP_SESSION: 'tab', ...more}})
  const events = async (...target: readonly string[]): Promise<{type: string}[]> =>
    JSON.parse((await jp(['c', 'print', '-F', 'json', ...target])).stdout) as {type: string}[]

  it('W18: says what is sent, for all turns but the kept ones, and takes nothing away', async () => {
    for (const word of ['one', 'two', 'three']) await jp(['q', ...(word === 'one' ? ['-n'] : []), word])
    const before = await events()
    const dry = await jp(['c', 'compact', '--dry-run'])
    assert.match(dry.stdout, /^Would compact turns 1 to 2 of jp-c\d+\.\n$/)
    assert.deepEqual(await events(), before)
    assert.match((await jp(['c', 'compact', '--keep-first', '1'])).stdout, /^Compacted turns 2 to 2 of/)
    const after = await events()
    assert.deepEqual(after.slice(0, -1), before)
    const {timestamp: _, ...added} = after.at(-1) as {timestamp?: string}
    assert.deepEqual(added, {
      type: 'compaction',
      from_turn: 1,
      to_turn: 1,
      reasoning: 'strip',
      tool_calls: {policy: 'strip', request: true, response: true},
    })
    assert.deepEqual(await jp(['c', 'compact', '--keep-last', '3']), {
      stdout: '',
      stderr: 'There is nothing to compact.\n',
      code: 0,
    })
  })

  const id = 'jp-c17750000001'
  /** Plants a conversation of so many turns. */
  const turns = (count: number): void => {
    const timestamp = '2026-09-01 08:00:00.0'
    const events = Array.from({length: count}, (_, turn) => [
      {timestamp, type: 'turn_start'},
      {timestamp, type: 'chat_request', content: `turn ${turn + 1}`},
      {timestamp, type: 'chat_response', message: 'ok'},
    ])
    writeConversation(join(root, '.jp', 'conversations'), '17750000001-x', {events: events.flat()})
  }
  const compactions = async (target = id): Promise<unknown[]> =>
    (JSON.parse((await jp(['c', 'print', '-F', 'json', target])).stdout) as {type: string; timestamp?: string}[])
      .filter(({type}) => type === 'compaction')
      .map(({type: _type, timestamp: _time, ...rest}) => rest)
  const rules = `
[[conversation.compaction.rules]]
keep_first = 1
keep_last = 2
reasoning = "strip"
[[conversation.compaction.rules]]
keep_last = "1h"
tool_calls = "omit"
[[conversation.compaction.rules]]
keep_last = 1
tool_calls = {policy = "strip", request = false, response = true}
`

  it('facts 7.5: conversation.compaction.rules say what "c compact", "q --compact" and "c fork --compact" do', async () => {
    turns(4)
    scratch.write('home/.config/jp/config.toml', rules)
    const expected = [
      {from_turn: 1, to_turn: 1, reasoning: 'strip'},
      {from_turn: 0, to_turn: 3, tool_calls: {policy: 'omit'}},
      {from_turn: 0, to_turn: 2, tool_calls: {policy: 'strip', request: false, response: true}},
    ]
    const fork = JSON.parse((await jp(['c', 'fork', id, '--compact', '-F', 'json'])).stdout) as {id: string}
    assert.deepEqual(await compactions(fork.id), expected)
    assert.deepEqual(await compactions(), [])
    const told = 'Compacted turns 2 to 2.\nCompacted turns 1 to 4.\nCompacted turns 1 to 3.\n'
    assert.deepEqual(await jp(['q', '-i', id, '-k', 'turn 5']), {stdout: 'turn 5\n', stderr: told, code: 0})
    assert.deepEqual(await compactions(), expected)
    const again = JSON.parse((await jp(['c', 'compact', '-F', 'json'])).stdout) as {from: number; to: number}[]
    assert.deepEqual(
      again.map(({from, to}) => [from, to]),
      [
        [2, 3],
        [1, 4],
      ],
    )
    assert.equal((await jp(['c', 'compact'])).stderr, 'There is nothing to compact.\n')
  })

  it('facts 8.4: turns are named by number, and compactions are taken back; nothing else is touched', async () => {
    turns(3)
    const before = await events(id)
    await jp(['c', 'compact', id, '--from', '1', '--to', '1', '-r'])
    await jp(['c', 'compact', id, '-k', 't=sres:-2..-2'])
    const both = [
      {from_turn: 0, to_turn: 0, reasoning: 'strip'},
      {from_turn: 1, to_turn: 1, tool_calls: {policy: 'strip', request: false, response: true}},
    ]
    assert.deepEqual(await compactions(), both)
    assert.match((await jp(['c', 'compact', id, '--reset=1', '--dry-run'])).stdout, /^Would take back 1 compaction of/)
    assert.match((await jp(['c', 'compact', id, '--reset=1'])).stdout, /^Took back 1 compaction of jp-c\d+\.\n$/)
    assert.deepEqual(await compactions(), both.slice(0, 1))
    await jp(['c', 'compact', id, '--reset'])
    assert.deepEqual(await events(id), before)
  })

  it('facts 2.5: a fork counts the turns of a compaction anew; one that is about none of its turns stays behind', async () => {
    turns(4)
    await jp(['c', 'compact', id, '-k', 'r:1..2', '-k', 't=omit:2..4'])
    for (const [flag, ...expected] of [
      ['--last=2', {from_turn: 0, to_turn: 1, tool_calls: {policy: 'omit'}}],
      ['--first=1', {from_turn: 0, to_turn: 0, reasoning: 'strip'}],
    ] as const) {
      const fork = JSON.parse((await jp(['c', 'fork', id, flag, '-F', 'json'])).stdout) as {id: string}
      assert.deepEqual(await compactions(fork.id), expected)
    }
  })

  it('W16: a rule and a specification that can not be read are named with what they may be', async () => {
    turns(2)
    scratch.write('home/.config/jp/config.toml', '[[conversation.compaction.rules]]\nkeep_last = "soon"\n')
    const rule = await jp(['c', 'compact', id])
    assert.deepEqual(
      [rule.code, rule.stderr.split('\n')[0]],
      [2, 'Error: conversation.compaction.rules: keep_last can\'t be "soon".'],
    )
    assert.equal((await jp(['q', '-i', id, '--compact=x', 'y'])).code, 2)
  })

  it('W18: --no-persist compacts for the one turn, and stores nothing', async () => {
    turns(2)
    const before = await events(id)
    assert.equal((await jp(['q', '--no-persist', '-i', id, '-k', 'again'])).stdout, 'again\n')
    assert.deepEqual(await events(id), before)
  })

  /** Runs with a model that answers THE SUMMARY; `sent` gives the last request that it got. */
  const withModel = async (act: (sent: () => string) => Promise<void>): Promise<void> => {
    const server = await startModelServer()
    server.plays({says: {text: ['THE SUMMARY']}})
    scratch.write(
      'home/.config/jp/config.toml',
      `[providers.llm.spy]\ntype = "openai-compatible"\nbase_url = "${server.url}"\n`,
    )
    try {
      await act(() => JSON.stringify(server.seen.at(-1)?.body))
    } finally {
      await server.close()
    }
  }

  it('W25: echo writes no summaries; a model does, and its words stand for the turns', () =>
    withModel(async (sent) => {
      turns(2)
      assert.equal((await jp(['c', 'compact', id, '-s'])).code, 2)
      assert.equal((await jp(['c', 'compact', id, '-s', '-m', 'spy/model'])).code, 0)
      assert.ok(sent().includes('turn 1') && !sent().includes('turn 2'))
      await jp(['q', '-i', id, '-m', 'spy/model', 'turn 3'])
      assert.ok(sent().includes('THE SUMMARY') && sent().includes('turn 2'))
      assert.ok(!sent().includes('turn 1'))
    }))

  it('facts 7.5: a rule names the model that sums up, what it is told, and what it is shown', () =>
    withModel(async (sent) => {
      turns(3)
      const rule = {
        keep_first: 1,
        keep_last: 0,
        summary: {model: {id: 'spy/other'}, instructions: 'Briefly: Sum up the conversation', context: 'all'},
      }
      const cfg = `conversation.compaction.rules:=${JSON.stringify([rule])}`
      const asked = await jp(['q', '-i', id, '-k', '-c', cfg, '-m', 'echo/echo', 'turn 4'])
      assert.deepEqual([asked.stderr, asked.code], ['Compacted turns 2 to 3.\n', 0])
      for (const text of ['"model":"other"', 'Briefly', 'turn 1', 'turn 2']) assert.ok(sent().includes(text), text)
      await jp(['q', '-m', 'spy/model', 'turn 5'])
      for (const text of ['turn 1', 'THE SUMMARY', 'turn 4']) assert.ok(sent().includes(text), text)
      for (const text of ['turn 2', 'turn 3']) assert.ok(!sent().includes(text), text)
    }))

  it('FR-28: permissions for ever are listed, and taken back', async () => {
    assert.deepEqual(await jp(['tool', 'permissions', '-F', 'json']), {stdout: '[]\n', stderr: '', code: 0})
    const steps = scratch.write(
      'steps.json',
      JSON.stringify([{tool_call: {name: 'run_command', arguments: {command: 'true "a b"'}}}]),
    )
    const env = {...scratch.env, JP_SESSION: 'tab', JP_ECHO_SCRIPT: steps}
    const run = startOnTerminal(['q', '-n', '--tool', 'run_command', 'go'], {cwd: root, env})
    await run.waitFor('No, and say why')
    run.type('a')
    assert.equal(await run.exited, 0)
    assert.match((await jp(['tool', 'permissions'])).stdout, /run_command.*true "a b"/)
    assert.equal((await jp(['tool', 'forget', '2'])).code, 2)
    assert.equal((await jp(['tool', 'forget', '1'])).stdout, 'Took 1 back.\n')
    assert.equal((await jp(['tool', 'permissions', '-F', 'json'])).stdout, '[]\n')
  })
})
