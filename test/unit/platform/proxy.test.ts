import assert from 'node:assert/strict'
import {spawn} from 'node:child_process'
import {createServer} from 'node:http'
import type {AddressInfo} from 'node:net'
import {join} from 'node:path'
import {isLoopback} from '../../../src/platform/proxy.js'
import {repository} from '../../support/jp.js'

/** Fetches these URLs in a process of its own with this environment; gives what each came to. */
const fetched = (urls: readonly string[], env: Record<string, string>): Promise<string[]> => {
  const script = `
    const {honourProxies} = await import('${join(repository, 'src/platform/proxy.ts')}')
    await honourProxies({env: process.env, cwd: '/', homeDir: '/', platform: process.platform, pid: process.pid})
    const answers = []
    for (const url of ${JSON.stringify(urls)}) {
      answers.push(await fetch(url).then((response) => response.text(), (error) => String(error.cause?.message ?? error)))
    }
    console.log(JSON.stringify(answers))
  `
  const hooks = join(repository, 'test/support/typescript-imports.mjs')
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--import', hooks, '--input-type=module', '-e', script], {env})
    let out = ''
    child.stdout.on('data', (bytes: Buffer) => (out += bytes.toString()))
    child.stderr.pipe(process.stderr)
    child.on('error', reject)
    child.on('close', () => resolve(JSON.parse(out) as string[]))
  })
}

describe('proxies', () => {
  for (const variables of [['HTTP_PROXY', 'HTTPS_PROXY'], ['http_proxy'], ['ALL_PROXY']]) {
    it(`FR-47: with ${variables.join(', ')} loopback is direct, and the rest goes through the proxy`, async () => {
      const tunnels: string[] = []
      const server = createServer((_, response) => response.end('direct'))
      const proxy = createServer((_, response) => response.end('proxied'))
      proxy.on('connect', (request, socket) => {
        tunnels.push(request.url ?? '')
        socket.end('HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n')
      })
      await Promise.all([server, proxy].map((each) => new Promise<void>((done) => each.listen(0, '127.0.0.1', done))))
      const port = (server.address() as AddressInfo).port
      const proxyUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
      const env = Object.fromEntries(variables.map((name) => [name, proxyUrl]))
      for (const more of [{}, {NO_PROXY: 'elsewhere.invalid'}, {NODE_USE_ENV_PROXY: '1'}]) {
        tunnels.length = 0
        const answers = await fetched(
          [`http://127.0.0.1:${port}/`, `http://localhost:${port}/`, 'http://api.invalid/'],
          {...env, ...more},
        )
        assert.deepEqual(answers.slice(0, 2), ['direct', 'direct'])
        assert.deepEqual([...new Set(tunnels)], ['api.invalid:80'], answers[2])
      }
      server.close()
      proxy.close()
    })
  }

  it('FR-47: knows the names of this machine', () => {
    assert.deepEqual(
      ['localhost', '127.0.0.1', '127.8.8.8', '[::1]', 'x.localhost', 'localhost.example', '10.0.0.1'].map(isLoopback),
      [true, true, true, true, true, false, false],
    )
  })
})
