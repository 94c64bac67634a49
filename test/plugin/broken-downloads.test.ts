import assert from 'node:assert/strict'
import {readdirSync, readFileSync} from 'node:fs'
import {createServer, type ServerResponse} from 'node:http'
import type {AddressInfo} from 'node:net'
import {join} from 'node:path'
import {runJp} from '../support/jp.js'
import type {Misbehaviour} from '../support/npm-registry.js'
import {openPackageBench, type PackageBench, sampleTarball} from '../support/packages.js'
import {packageTarball, tarballOf} from '../support/tar.js'

const climbing = tarballOf([{path: 'package/package.json', content: '{}'}, {path: 'package/../../../evil'}])

describe('broken downloads and hostile archives', () => {
  let bench: PackageBench
  beforeEach(async () => {
    bench = await openPackageBench()
    await bench.jp('plugins', 'install', bench.tarball('old.tgz', {text: 'old'}), '--yes')
  })
  afterEach(() => bench.close())

  const works = {code: 0, stdout: 'old\n', stderr: ''}
  const stands = (): string[] => readdirSync(bench.store).filter((name) => !name.startsWith('jp-notes@'))
  const refused = async (spec: string, message: RegExp, code: number, env = {}): Promise<void> => {
    const args = ['plugins', 'install', spec, '--yes']
    const run = await runJp(args, {cwd: bench.root, env: {...bench.env, ...env}, timeoutMs: 90_000})
    assert.match(run.stderr.slice(run.stderr.lastIndexOf('Error: ')), message)
    assert.deepEqual([run.code, run.stdout], [code, ''], run.stderr)
    assert.deepEqual(stands(), ['index.json'])
    assert.deepEqual(await bench.jp('notes'), works)
  }

  for (const [how, message, code] of [
    ['unauthorised', /^Error: The registry refused: 401 .*jp-notes.*\n {2}To log in: npm login\n$/, 5],
    ['forbidden', /^Error: The registry refused: 403 /, 5],
    ['failing', /^Error: The download failed \(E500\): 500 .*jp-notes/, 6],
    ['wrong integrity', /sent other bytes than it promised: want sha512-\S+, got sha512-\S+ \(\d+ bytes\)/, 5],
    ['no tarball', /no such package: Not Found - GET http:\S+\/jp-notes-2\.0\.0\.tgz/, 3],
    [
      'html tarball',
      /What http:\S+\/jp-notes-2\.0\.0\.tgz gives is no package archive: it is cut short, or a web page\./,
      7,
    ],
    [
      'truncated tarball',
      /^Error: The download failed \(ECONNRESET\): aborted \(http:\S+\/jp-notes-2\.0\.0\.tgz\)\n/,
      6,
    ],
    ['redirect loop', /maximum redirect reached at: http:\S+\/jp-notes-2\.0\.0\.tgz/, 6],
    ['hanging tarball', /network timeout at: http:\S+\/jp-notes-2\.0\.0\.tgz/, 6],
    ['hanging', /network timeout at: http:\S+\/jp-notes/, 6],
  ] as const satisfies readonly (readonly [Misbehaviour, RegExp, number])[]) {
    it(`FR-37, P16: a registry whose answer is "${how}" is told as what it is; the old version works`, async () => {
      bench.registry.publish({tarball: sampleTarball({version: '2.0.0', text: 'new'})})
      bench.registry.misbehave('jp-notes', how)
      await refused('jp-notes', message, code, how.startsWith('hanging') ? {npm_config_fetch_timeout: '1500'} : {})
    })
  }

  it('FR-37, P16: a dependency that lies about its integrity, or is not there, is told as what it is', async () => {
    bench.registry.publish({tarball: packageTarball({name: 'left', version: '1.0.0'})})
    const file = bench.tarball('next.tgz', {version: '2.0.0', fields: {dependencies: {left: '1.0.0'}}})
    bench.registry.misbehave('left', 'wrong integrity')
    await refused(file, /sent other bytes than it promised: want sha512-\S+, got sha512-\S+ \(\d+ bytes\)/, 5)
    bench.registry.misbehave('left', 'unauthorised')
    await refused(file, /^Error: The registry refused: /, 5)
    bench.registry.misbehave('left', 'no tarball')
    await refused(file, /^Error: The registry has no such package: .*left-1\.0\.0\.tgz/, 3)
  })

  it('P16: a registry that is not there, a package and a version that are not', async () => {
    await refused('nope', /^Error: The registry has no such package: Not Found - GET http:\S+\/nope/, 3)
    bench.registry.publish({tarball: sampleTarball({version: '2.0.0'})})
    await refused('jp-notes@9', /no such version|has no version of jp-notes for "9"/, 3)
    await bench.registry.close()
    await refused('jp-notes', /^Error: The download failed \(ECONNREFUSED\)/, 6)
  })

  for (const [what, answer, message, code] of [
    [
      '404',
      (response: ServerResponse) => response.writeHead(404).end('Not Found'),
      /404 .*Not Found|Not Found - GET http/,
      3,
    ],
    [
      'a web page',
      (response: ServerResponse) => response.writeHead(200).end('<!doctype html><p>hi'),
      /no package archive: it is cut short, or a web page/,
      7,
    ],
    [
      'a body that is shorter than it said',
      (response: ServerResponse) => {
        response.writeHead(200, {'content-length': 5000}).write('x')
        setTimeout(() => response.destroy(), 20)
      },
      /The download failed \(\w+\): .*http:/,
      6,
    ],
    [
      'a redirect to itself',
      (response: ServerResponse) => response.writeHead(302, {location: '/x.tgz'}).end(),
      /redirect/,
      6,
    ],
  ] as const) {
    it(`FR-37: a URL that answers with ${what} is told as what it is`, async () => {
      const server = createServer((_, response) => void answer(response))
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      try {
        await refused(`http://127.0.0.1:${(server.address() as AddressInfo).port}/x.tgz`, message, code)
      } finally {
        server.closeAllConnections()
        server.close()
      }
    })
  }

  for (const [what, bytes, message] of [
    ['a path that climbs', climbing, /"package\/\.\.\/\.\.\/\.\.\/evil" climbs out of the package/],
    ['a web page in its place', Buffer.from('<!DOCTYPE html><h1>404</h1>'), /it is a web page/],
  ] as const) {
    it(`P16: an archive with ${what} is refused; the old version works`, async () => {
      await refused(bench.tarball('bad.tgz', bytes), message, 7)
      assert.equal(readFileSync(join(bench.store, 'index.json'), 'utf8').includes('2.0.0'), false)
    })
  }
})
