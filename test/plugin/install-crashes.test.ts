import assert from 'node:assert/strict'
import {spawn} from 'node:child_process'
import {readdirSync} from 'node:fs'
import {launcher} from '../support/jp.js'
import {openPackageBench, type PackageBench, sampleTarball} from '../support/packages.js'

describe('an installation that is killed', () => {
  let bench: PackageBench
  beforeEach(async () => {
    bench = await openPackageBench()
  })
  afterEach(() => bench.close())

  const points = process.env['JP_SOAK'] === '1' ? 20 : 6
  const seed = Number(process.env['JP_SEED'] ?? Date.now() % 100_000)

  /** A small generator, so that a run can be repeated. */
  const randomFrom = (start: number) => {
    let state = start >>> 0
    return (): number => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      return state / 2 ** 32
    }
  }

  const killAfter = (ms: number, ...args: string[]): Promise<void> =>
    new Promise((resolve) => {
      const child = spawn(process.execPath, [launcher, ...args], {
        cwd: bench.root,
        env: bench.env,
        stdio: 'ignore',
        detached: true,
      })
      const timer = setTimeout(() => child.kill('SIGKILL'), ms)
      child.on('close', () => {
        clearTimeout(timer)
        resolve()
      })
    })

  it(`P16: kill -9 at ${points} points of an update: one version works, whole; staging is gone after the next command (seed ${seed})`, async () => {
    const random = randomFrom(seed)
    bench.tarball('n.tgz', {text: 'v0'})
    assert.equal((await bench.jp('plugins', 'install', '../n.tgz', '--yes')).code, 0)
    const start = performance.now()
    await bench.jp('plugins', 'install', '../n.tgz', '--yes')
    const wholeMs = performance.now() - start
    for (let point = 1; point <= points; point++) {
      const before = (await bench.jp('notes')).stdout
      bench.tarball('n.tgz', sampleTarball({version: `1.0.${point}`, text: `v${point}`}))
      await killAfter(
        random() * wholeMs,
        'plugins',
        point % 2 === 0 ? 'install' : 'update',
        ...(point % 2 === 0 ? ['../n.tgz'] : ['notes']),
        '--yes',
      )
      const after = await bench.jp('notes')
      assert.equal(after.code, 0, after.stderr)
      assert.ok([before, `v${point}\n`].includes(after.stdout), after.stdout)
      const [row] = JSON.parse((await bench.jp('plugins', 'list', '--format', 'json')).stdout)
      assert.equal(row.approval, 'approved')
      assert.deepEqual(
        readdirSync(bench.store).filter((name) => name.startsWith('.')),
        [],
      )
    }
  }).timeout(240_000)

  it('P16: an index that does not parse is said, kept, and an installation begins anew', async () => {
    await bench.jp('plugins', 'install', bench.tarball('n.tgz'), '--yes')
    bench.scratch.write('home/.local/share/jp/plugins/packages/index.json', '{"version": 1, "packa')
    const run = await bench.jp('plugins', 'list')
    assert.match(run.stderr, /index\.json does not parse/)
    assert.equal((await bench.jp('c', 'ls')).code, 0)
    assert.equal((await bench.jp('plugins', 'install', '../n.tgz', '--yes')).code, 0)
    assert.equal((await bench.jp('notes')).stdout, 'ran\n')
    assert.ok(readdirSync(bench.store).includes('index.json.damaged'))
  })
})
