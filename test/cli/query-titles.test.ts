import assert from 'node:assert/strict'
import {readdirSync} from 'node:fs'
import {createServer} from 'node:http'
import type {AddressInfo} from 'node:net'
import {join} from 'node:path'
import {type Run, runJp} from '../support/jp.js'
import {createScratch, type Scratch} from '../support/scratch.js'

describe('the title of a conversation', () => {
  let scratch: Scratch
  let root: string

  beforeEach(() => {
    scratch = createScratch()
    root = scratch.checkout('app', 'abcde')
    scratch.write('app/.jp/config.toml', '[assistant.model]\nid = "spy/model"\n')
  })
  afterEach(() => scratch.remove())

  const names = (): string[] => readdirSync(join(root, '.jp', 'conversations')).filter((name) => /^\d/.test(name))
  const chunk = (delta: object, finish?: string): string =>
    `data: ${JSON.stringify({id: '1', choices: [{index: 0, delta, ...(finish === undefined ? {} : {finish_reason: finish})}]})}\n\n`

  /** A server that answers "ok", and a request for a title with `title`; undefined: never. */
  const serving = async (
    title: string | undefined,
    act: (query: (...args: readonly string[]) => Promise<Run>) => Promise<void>,
  ) => {
    const asked: string[] = []
    const server = createServer((request, response) => {
      let body = ''
      request.on('data', (bytes: Buffer) => (body += bytes.toString()))
      request.on('end', () => {
        const isTitle = body.includes('You name conversations')
        asked.push(isTitle ? 'title' : 'turn')
        if (isTitle && title === undefined) return
        response.writeHead(200, {'content-type': 'text/event-stream'})
        response.write(chunk({content: isTitle ? (title ?? '') : 'ok'}))
        response.end(`${chunk({}, 'stop')}data: [DONE]\n\n`)
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const {port} = server.address() as AddressInfo
    scratch.write(
      'home/.config/jp/config.toml',
      `[providers.llm.spy]\ntype = "openai-compatible"\nbase_url = "http://127.0.0.1:${port}"\n`,
    )
    try {
      await act((...args) => runJp(['query', ...args], {cwd: root, env: {...scratch.env, JP_SESSION: 'tab'}}))
    } finally {
      server.closeAllConnections()
      server.close()
    }
    return asked
  }

  it('W28: is made beside the first turn, and only then', async () => {
    const asked = await serving('```json\n{"titles": ["Why the  sky\\nis blue"]}\n```', async (query) => {
      assert.deepEqual(await query('-n', 'why?'), {stdout: 'ok\n', stderr: '', code: 0})
      assert.match(names()[0] ?? '', /^\d+-why-the-sky-is-blue$/)
      await query('and now?')
    })
    assert.deepEqual(asked.sort(), ['title', 'turn', 'turn'])
  })

  it('W28: a model that never answers delays the end by no more than a bounded wait', async () => {
    await serving(undefined, async (query) => {
      const started = performance.now()
      assert.deepEqual(await query('-n', 'why?'), {stdout: 'ok\n', stderr: '', code: 0})
      assert.ok(performance.now() - started < 8000)
      assert.match(names()[0] ?? '', /^\d+$/)
    })
  })

  it('W28: what is no title is no title', async () => {
    await serving('Sure! Here is one.', async (query) => {
      await query('-n', 'why?')
      assert.match(names()[0] ?? '', /^\d+$/)
    })
  })

  it('W28: none is asked for with a title, a heading, or generate.auto off', async () => {
    const asked = await serving('{"titles": ["no"]}', async (query) => {
      await query('-n', '--title', 'mine', 'why?')
      await query('-n', '# Heading\nwhy?')
      await query('-n', '-c', 'conversation.title.generate.auto:=false', 'why?')
    })
    assert.deepEqual(asked, ['turn', 'turn', 'turn'])
  })
})
