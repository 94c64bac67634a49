import assert from 'node:assert/strict'
import {spawn, spawnSync} from 'node:child_process'
import {randomBytes} from 'node:crypto'
import {mkdirSync, readdirSync} from 'node:fs'
import {join} from 'node:path'
import {launcher} from '../support/jp.js'
import {openPackageBench, type PackageBench, sampleTarball} from '../support/packages.js'

describe('an installation that is killed', function () {
  let bench: PackageBench
  beforeEach(async () => {
    bench = await openPackageBench()
  })
  afterEach(() => bench.close())

  /** Every other one is an install, the rest are updates. */
  const points = process.env['JP_SOAK'] === '1' ? 40 : 6
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

  it('P16: a disk that fills up at any point of an installation: it is said, nothing stays, the old version works', function () {
    if (process.getuid?.() !== 0 || spawnSync('unshare', ['-m', 'true']).status !== 0) this.skip()
    const blob = randomBytes(150_000).toString('base64')
    const next = {version: '2.0.0', text: 'new', files: {blob}}
    bench.tarball('old.tgz', {text: 'old'})
    bench.tarball('new.tgz', next)
    bench.folder('folder', next)
    mkdirSync(bench.scratch.data, {recursive: true})
    const script = `
      mount -t tmpfs -o size=1m tmpfs "$DATA" || exit 9
      jp() { "$NODE" "$JP" "$@"; }
      jp plugins install ../old.tgz --yes -s
      jp notes >/dev/null # registers the checkout
      try() {
        dd if=/dev/zero of="$DATA/fill" bs=1k count=1024 2>/dev/null
        truncate -s "-$1K" "$DATA/fill"
        jp plugins install "$2" --yes -s 2>"$OUT.err"
        echo "$? $(head -n 1 "$OUT.err")"
        jp notes
        rm "$DATA/fill"
        ls -A "$DATA/plugins/packages"
      }
      for free in 0 4 100 200; do try $free ../new.tgz; done
      try 24 ../folder
      jp plugins install ../new.tgz --yes -s
      jp notes`
    const run = spawnSync('unshare', ['-m', '/bin/sh', '-c', script], {
      cwd: bench.root,
      env: {
        ...bench.env,
        DATA: bench.scratch.data,
        OUT: join(bench.scratch.path, 'out'),
        NODE: process.execPath,
        JP: launcher,
      },
      encoding: 'utf8',
    })
    const [first, ...rest] = run.stdout.split('\n').filter((line) => line !== '')
    assert.equal(first, 'Installed jp-notes 1.0.0. It is run with: jp notes', run.stderr)
    const tries = rest.slice(0, -2)
    for (let at = 0; at < tries.length; at += 4) {
      const [told = '', ran, index, folder = ''] = tries.slice(at, at + 4)
      assert.match(
        told,
        /^1 Error: (?:Can't write .*: the disk is full\.|npm can't write, since the disk is full: .*)$/,
      )
      assert.deepEqual([ran, index], ['old', 'index.json'], told)
      assert.match(folder, /^jp-notes@1\.0\.0-/)
    }
    assert.equal(tries.length, 20)
    assert.deepEqual(rest.slice(-2), ['Installed jp-notes 2.0.0. It is run with: jp notes', 'new'])
  })

  it('P16, FR-36: one package twice at once: both succeed, one entry, one version that works', async () => {
    bench.tarball('n.tgz', {text: 'both'})
    for (const round of ['a first time', 'in its own place']) {
      const runs = await Promise.all(
        Array.from({length: 3}, () => bench.jp('plugins', 'install', '../n.tgz', '--yes', '-s')),
      )
      for (const run of runs) assert.equal(run.code, 0, run.stderr)
      const rows = JSON.parse((await bench.jp('plugins', 'list', '--format', 'json')).stdout)
      assert.deepEqual(
        rows.map(({name, approval}: Record<string, string>) => [name, approval]),
        [['notes', 'approved']],
        round,
      )
      assert.equal((await bench.jp('notes')).stdout, 'both\n')
    }
  })

  it('P16, P6: two packages that claim the same at once: one is installed, the other is refused', async () => {
    const specs = ['one', 'two'].map((name) => bench.tarball(`${name}.tgz`, {name, text: name}))
    const runs = await Promise.all(specs.map((spec) => bench.jp('plugins', 'install', spec, '--yes', '-s')))
    assert.deepEqual(new Set(runs.map(({code}) => code)), new Set([0, 4]))
    const winner = runs[0]?.code === 0 ? 'one' : 'two'
    assert.equal((await bench.jp('notes')).stdout, `${winner}\n`)
    assert.deepEqual(
      readdirSync(bench.store).filter((name) => !name.startsWith(`${winner}@`)),
      ['index.json'],
    )
  })

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
