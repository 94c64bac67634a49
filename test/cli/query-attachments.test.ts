import assert from 'node:assert/strict'
import {symlinkSync} from 'node:fs'
import {createServer} from 'node:http'
import type {AddressInfo} from 'node:net'
import {join} from 'node:path'
import {type Run, runJp} from '../support/jp.js'
import {createScratch, type Scratch} from '../support/scratch.js'

describe('jp query with attachments', () => {
  let scratch: Scratch
  let root: string

  beforeEach(() => {
    scratch = createScratch()
    root = scratch.checkout('app', 'abcde')
    scratch.write('app/.jp/config.toml', '[assistant.model]\nid = "spy/model"\n')
    scratch.write('app/src/a.txt', 'text of a')
    scratch.write('app/src/b.txt', 'text of b')
    scratch.write('outside.txt', 'text outside')
  })
  afterEach(() => scratch.remove())

  /** A model server that answers "ok" and keeps what it was sent. */
  const spying = async (
    act: (query: (...args: readonly string[]) => Promise<Run & {sent: string}>) => Promise<void>,
  ) => {
    let sent = ''
    const server = createServer((request, response) => {
      let body = ''
      request.on('data', (bytes: Buffer) => (body += bytes.toString()))
      request.on('end', () => {
        if (request.method !== 'POST') {
          const isPage = request.url === '/page'
          response.writeHead(isPage ? 200 : 404).end('text of a page')
          return
        }
        sent = body
        response.writeHead(200, {'content-type': 'text/event-stream'})
        response.write('data: {"id":"1","choices":[{"index":0,"delta":{"content":"ok"}}]}\n\n')
        response.end('data: {"id":"1","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n')
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const {port} = server.address() as AddressInfo
    scratch.write(
      'home/.config/jp/config.toml',
      `[providers.llm.spy]\ntype = "openai-compatible"\nbase_url = "http://127.0.0.1:${port}"\n`,
    )
    try {
      await act(async (...args) => {
        sent = ''
        const run = await runJp(['query', ...args.map((arg) => arg.replace('PORT', String(port)))], {
          cwd: join(root, 'src'),
          env: {...scratch.env, JP_SESSION: 'tab'},
        })
        return {...run, sent}
      })
    } finally {
      server.closeAllConnections()
      server.close()
    }
  }

  it('W34, W11: files, globs, commands and addresses go in front of the message, from where the user stands', () =>
    spying(async (query) => {
      const run = await query(
        '-n',
        '--attach',
        'a.txt',
        '-a',
        'cmd:echo from a command',
        '-a',
        'http://127.0.0.1:PORT/page',
        'look',
      )
      assert.deepEqual([run.stdout, run.stderr, run.code], ['ok\n', '', 0])
      const order = ['src/a.txt', 'text of a', 'from a command', 'text of a page', 'look'].map((text) =>
        run.sent.indexOf(text),
      )
      assert.ok(order.every((at) => at > 0))
      assert.deepEqual(
        order,
        order.toSorted((left, right) => left - right),
      )
      const glob = await query('-n', '-a', '*.txt', '-a', '!b.txt', 'look')
      assert.ok(glob.sent.includes('text of a') && !glob.sent.includes('text of b'))
    }))

  it('W34, FR-47: an address is asked for through the proxy of the environment', async () => {
    const asked: string[] = []
    const proxy = createServer((request, response) => {
      asked.push(`${request.headers.host}${request.url}`)
      response.end('text of a page behind a proxy')
    })
    proxy.on('connect', (_request, socket) => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n')
      proxy.emit('connection', socket)
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    const {port} = proxy.address() as AddressInfo
    const env = {...scratch.env, JP_SESSION: 'tab', HTTP_PROXY: `http://127.0.0.1:${port}`}
    const run = await runJp(['query', '-n', '-m', 'echo/echo', '-a', 'http://docs.invalid/page', 'look'], {
      cwd: root,
      env,
    })
    proxy.closeAllConnections()
    proxy.close()
    assert.deepEqual([run.stdout, run.stderr, run.code], ['look\n', '', 0])
    assert.deepEqual(asked, ['docs.invalid/page'])
  })

  it('W34: they stay with the conversation, and are read anew', () =>
    spying(async (query) => {
      await query('-n', '-a', 'a.txt', 'look')
      scratch.write('app/src/a.txt', 'changed text')
      assert.ok((await query('again')).sent.includes('changed text'))
    }))

  it('W34: a file that a message mentions is attached; what is no file stays text', () =>
    spying(async (query) => {
      const run = await query('-n', 'compare @a.txt with @types/node for @ann, me@example.org')
      assert.deepEqual([run.stdout, run.code], ['ok\n', 0], run.stderr)
      assert.ok(run.sent.includes('text of a'))
    }))

  it('W34: one that was named and is not there is an error before anything is sent', () =>
    spying(async (query) => {
      for (const args of [
        ['-a', 'nope.txt', 'x'],
        ['see @./nope.txt'],
        ['-a', 'cmd:false', 'x'],
        ['-a', 'http://127.0.0.1:PORT/404', 'x'],
      ]) {
        const run = await query('-n', ...args)
        assert.deepEqual([run.stdout, run.code, run.sent], ['', 3, ''], args.join(' '))
        assert.match(run.stderr, /^Error: Can't attach /)
      }
    }))

  it('W34: one of the configuration that is not there is a warning, and the turn goes on', () =>
    spying(async (query) => {
      scratch.write(
        'app/.jp/config.toml',
        '[assistant.model]\nid = "spy/model"\n[conversation]\nattachments = ["src/a.txt", "src/nope.txt"]\n',
      )
      const run = await query('-n', 'x')
      assert.deepEqual([run.stdout, run.code], ['ok\n', 0])
      assert.match(run.stderr, /^Warning: Can't attach src\/nope\.txt: there is no such file\.\n$/)
      assert.ok(run.sent.includes('text of a'))
    }))

  it('W30, W32: nothing that only the checkout names runs, or is read from outside it', () =>
    spying(async (query) => {
      symlinkSync('../../outside.txt', join(root, 'src', 'link.txt'))
      scratch.write(
        'app/.jp/config.toml',
        '[assistant.model]\nid = "spy/model"\n[conversation]\nattachments = ["src/link.txt", "cmd:touch hacked", "../outside.txt"]\n',
      )
      const run = await query('-n', 'x')
      assert.equal(run.stdout, 'ok\n')
      assert.ok(!run.sent.includes('text outside'))
    }))

  it('FR-27: a file that is no UTF-8 goes with U+FFFD, UTF-16 by its mark as its text; NUL bytes are refused', () =>
    spying(async (query) => {
      scratch.write('app/src/latin.txt', Buffer.from('caf\xe9 \xff\xfe', 'latin1'))
      scratch.write('app/src/wide.txt', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('grüße', 'utf16le')]))
      scratch.write('app/src/nul.txt', 'a\0b')
      const run = await query('-n', '-a', 'latin.txt', '-a', 'wide.txt', 'look')
      assert.equal(run.code, 0, run.stderr)
      assert.ok(run.sent.includes('caf\ufffd \ufffd\ufffd') && run.sent.includes('grüße'), run.sent)
      const refused = await query('-n', '-a', 'nul.txt', 'look')
      assert.deepEqual([refused.stdout, refused.sent], ['', ''])
      assert.match(refused.stderr, /nul\.txt is no text, and no picture or PDF\./)
    }))

  it('W34: jp:// brings the words of another conversation', () =>
    spying(async (query) => {
      const first = await query('-n', '-F', 'json', 'the first words')
      const {conversation} = JSON.parse(first.stdout.split('\n')[0] ?? '') as {conversation: string}
      const run = await query('-n', '-a', `jp://${conversation}`, 'and now')
      assert.equal(run.code, 0, run.stderr)
      assert.ok(run.sent.includes('the first words'))
    }))
})
