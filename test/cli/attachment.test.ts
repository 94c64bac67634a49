import assert from 'node:assert/strict'
import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {writeConversation} from '../support/conversations.js'
import {type Run, runJp} from '../support/jp.js'
import {createScratch, type Scratch} from '../support/scratch.js'

const timestamp = '2026-09-01 08:00:00.0'

describe('jp attachment', () => {
  let scratch: Scratch
  let root: string
  const id = 'jp-c17750000001'
  beforeEach(() => {
    scratch = createScratch()
    root = scratch.checkout('app', 'abcde')
    scratch.write('home/.config/jp/config.toml', '[assistant.model]\nid = "echo/echo"\n')
    scratch.write('app/src/a.ts', 'the file a')
    scratch.write('app/b.bin', 'x\0y')
    writeConversation(join(root, '.jp', 'conversations'), '17750000001-x', {
      title: 'X',
      events: [
        {timestamp, type: 'turn_start'},
        {timestamp, type: 'chat_request', content: 'the question'},
        {timestamp, type: 'future_event', kept: ['as', 'it', 'is']},
      ],
    })
  })
  afterEach(() => scratch.remove())

  const jp = (args: readonly string[], cwd = root): Promise<Run> =>
    runJp(args, {cwd, env: {...scratch.env, JP_SESSION: 'tab'}})
  const stored = (): Record<string, unknown>[] =>
    JSON.parse(readFileSync(join(root, '.jp/conversations/17750000001-x/events.json'), 'utf8')) as Record<
      string,
      unknown
    >[]
  const listed = async (): Promise<unknown> => JSON.parse((await jp(['a', 'ls', id, '-F', 'json'])).stdout)

  it('W34, facts 8.2: add, ls, print and rm change what the next turns attach; the stream only grows', async () => {
    const before = stored()
    // A path is typed for the folder that one is in, and stored for the root (W11).
    const added = await jp(['attachment', 'add', 'a.ts', '--id', id], join(root, 'src'))
    assert.deepEqual([added.stdout, added.code], [`${id}: attached src/a.ts.\n`, 0], added.stderr)
    const more = await jp(['a', 'a', 'cmd:printf%20said', 'b.bin', 'src/a.ts', '-i', id, '-F', 'json'])
    assert.deepEqual(JSON.parse(more.stdout), {id, added: ['cmd:printf%20said', 'b.bin']})
    assert.deepEqual(await listed(), [
      {attachment: 'src/a.ts', kind: 'file', excludes: false},
      {attachment: 'cmd:printf%20said', kind: 'cmd', excludes: false},
      {attachment: 'b.bin', kind: 'file', excludes: false},
    ])
    const printed = await jp(['attachment', 'print', id])
    assert.deepEqual([printed.stdout, printed.code], ['## src/a.ts\n\nthe file a\n\n## cmd:printf%20said\n\nsaid\n', 0])
    assert.match(printed.stderr, /b\.bin is no text/)
    const turn = await jp(['query', '-i', id, '-F', 'json', 'go'])
    assert.match(turn.stdout, /b\.bin is no text/)
    const removed = await jp(['a', 'r', 'b.bin', 'cmd:printf%20said', '--id', id])
    assert.deepEqual([removed.stdout, removed.code], [`${id}: b.bin, cmd:printf%20said taken off.\n`, 0])
    assert.deepEqual(await listed(), [{attachment: 'src/a.ts', kind: 'file', excludes: false}])
    assert.deepEqual(stored().slice(0, before.length), before)
    assert.deepEqual(
      stored()
        .slice(before.length)
        .map(({type}) => type),
      ['config_delta', 'config_delta', 'turn_start', 'chat_request', 'chat_response', 'config_delta'],
    )
  })

  it('W34, Q4: what does not exist, is no kind of attachment or is not attached is said, and nothing is stored', async () => {
    const before = stored()
    for (const [args, told, code] of [
      [['add', 'src/a.ts', 'nope.txt'], "Can't attach nope.txt: there is no such file.", 3],
      [['add', 'bogus:x'], 'There is no kind of attachment "bogus:" (bogus:x).', 2],
      [['rm', 'src/a.ts'], 'src/a.ts is not attached.', 3],
      [['add'], 'Say what: a file, a glob, cmd:…, https://…, mcp+SERVER:URI, jp://ID.', 2],
    ] as const) {
      const run = await jp(['attachment', ...args, '--id', id])
      assert.deepEqual([run.stderr.split('\n')[0], run.code], [`Error: ${told}`, code])
    }
    assert.deepEqual([stored(), await listed()], [before, []])
  })

  it('W30: what an untrusted checkout attaches by a command is not run by a listing or by printing', async () => {
    scratch.write('app/.jp/config.toml', '[conversation]\nattachments = ["cmd:touch%20mark", "src/a.ts"]\n')
    const run = await jp(['attachment', 'print', id])
    assert.deepEqual([run.stdout, run.code], ['## src/a.ts\n\nthe file a\n', 0])
    assert.match(run.stderr, /jp w trust/)
    assert.deepEqual(await listed(), [{attachment: 'src/a.ts', kind: 'file', excludes: false}])
    assert.throws(() => readFileSync(join(root, 'mark')), {code: 'ENOENT'})
  })
})
