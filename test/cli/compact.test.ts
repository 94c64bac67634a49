import assert from 'node:assert/strict'
import {createServer} from 'node:http'
import type {AddressInfo} from 'node:net'
import {type Run, runJp} from '../support/jp.js'
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
  const events = async (): Promise<{type: string}[]> =>
    JSON.parse((await jp(['c', 'print', '-F', 'json'])).stdout) as {type: string}[]

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

  it('W25: echo writes no summaries; a model does, and its words stand for the turns', async () => {
    let sent = ''
    const server = createServer((request, response) => {
      sent = ''
      request.on('data', (bytes: Buffer) => (sent += bytes.toString()))
      request.on('end', () => {
        const content = sent.includes('Sum up the conversation') ? 'THE SUMMARY' : 'ok'
        response.writeHead(200, {'content-type': 'text/event-stream'})
        response.write(`data: ${JSON.stringify({id: '1', choices: [{index: 0, delta: {content}}]})}\n\n`)
        response.end(
          `data: ${JSON.stringify({id: '1', choices: [{index: 0, delta: {}, finish_reason: 'stop'}]})}\n\ndata: [DONE]\n\n`,
        )
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const {port} = server.address() as AddressInfo
    scratch.write(
      'home/.config/jp/config.toml',
      `[providers.llm.spy]\ntype = "openai-compatible"\nbase_url = "http://127.0.0.1:${port}"\n`,
    )
    try {
      await jp(['q', '-n', 'the first question'])
      await jp(['q', 'the second question'])
      assert.equal((await jp(['c', 'compact', '-s'])).code, 2)
      assert.equal((await jp(['c', 'compact', '-s', '-m', 'spy/model'])).code, 0)
      assert.ok(sent.includes('the first question') && !sent.includes('the second question'))
      await jp(['q', '-m', 'spy/model', 'the third question'])
      assert.ok(sent.includes('THE SUMMARY') && sent.includes('the second question'))
      assert.ok(!sent.includes('the first question'))
    } finally {
      server.closeAllConnections()
      server.close()
    }
  })

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
