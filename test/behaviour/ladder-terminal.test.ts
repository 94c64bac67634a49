import assert from 'node:assert/strict'
import {createHash} from 'node:crypto'
import {existsSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {type Run, runJp} from '../support/jp.js'
import {load, loadable} from '../support/load.js'
import {startOnTerminal, type TerminalRun} from '../support/pty.js'
import {ageRoots, usedRoots} from '../support/registry.js'
import {createScratch, listing, type Scratch} from '../support/scratch.js'

type Record = {history: {workspace_id: string; root: string; selected_at: string}[]; sticky: boolean}

describe('the ladder on a terminal', () => {
  let scratch: Scratch
  let env: {[name: string]: string}
  let app: string
  let lib: string
  beforeEach(async () => {
    scratch = createScratch()
    env = {...scratch.env, JP_SESSION: 'tab'}
    app = loadable(scratch, 'app', 'a1b2c')
    lib = loadable(scratch, 'lib', 'l1b2c')
    for (const root of [app, lib]) assert.equal((await jp(root, ...load)).code, 0)
  })
  afterEach(() => scratch.remove())

  const jp = (cwd: string, ...args: string[]): Promise<Run> => runJp(args, {cwd, env})
  const terminal = (cwd: string, ...args: string[]): TerminalRun => startOnTerminal(args, {cwd, env, columns: 200})
  const file = (): string =>
    join(
      scratch.data,
      'sessions',
      `env-JP_SESSION-${createHash('sha256').update('tab').digest('hex').slice(0, 16)}.json`,
    )
  const record = (): Record => JSON.parse(readFileSync(file(), 'utf8'))
  const roots = (): string[] => record().history.map(({root}) => root)

  type Ran = {code: number; shown: string; used: string[]}

  const endOf = async (started: TerminalRun): Promise<Ran> => {
    const code = await started.exited
    return {code, shown: started.received.replaceAll('\r\n', '\n'), used: usedRoots(scratch.data)}
  }

  /** Runs to the end without a question; gives what was shown and which checkouts were used. */
  const run = (cwd: string, ...args: string[]): Promise<Ran> => {
    ageRoots(scratch.data)
    return endOf(terminal(cwd, ...args))
  }

  const use = async (target: string, ...flags: string[]): Promise<void> => {
    const {code, shown} = await run(scratch.path, 'w', 'use', target, ...flags)
    assert.equal(code, 0, shown)
  }

  const conflict = async (key: string): Promise<Ran> => {
    ageRoots(scratch.data)
    const started = terminal(app, ...load)
    await started.waitFor('Where should this run?')
    await started.waitFor('q  quit')
    started.type(key)
    return endOf(started)
  }

  it('W6: w use records the session workspace, --always pins it, cwd clears it', async () => {
    await use('a1b2c')
    await use('l1b2c', '--always')
    assert.deepEqual([roots(), record().sticky], [[lib, app], true])
    assert.match(record().history[0]?.selected_at ?? '', /^\d{4}-/)
    await use(app)
    assert.deepEqual([roots(), record().sticky], [[app, lib], false])
    await use('s')
    assert.deepEqual(roots(), [lib, app])
    const bare = await run(scratch.path, 'w', 'use')
    assert.equal(bare.code, 0, bare.shown)
    assert.deepEqual(roots(), [app, lib])
    await use('cwd')
    assert.deepEqual(roots(), [])
    assert.equal((await run(app, 'w', 'use', 'cwd', '--always')).code, 2)
    assert.equal((await run(app, '-w', lib, 'w', 'use', app)).code, 2)
  })

  it('W6: w use needs a terminal', async () => {
    const told = await jp(app, 'w', 'use', 'l1b2c')
    assert.equal(told.code, 2)
    assert.equal(existsSync(file()), false)
  })

  it('W6: who only changes directories is asked nothing, and nothing is recorded', async () => {
    for (const cwd of [app, lib, app]) assert.equal((await run(cwd, ...load)).code, 0)
    assert.equal(existsSync(file()), false)
  })

  for (const [key, root, written, sticky] of [
    ['c', 'app', ['lib'], false],
    ['C', 'app', ['app', 'lib'], false],
    ['a', 'lib', ['lib'], false],
    ['A', 'lib', ['lib'], true],
  ] as const) {
    it(`W8, W9: where the session and the cwd differ, ${key} runs in ${root}`, async () => {
      await use('l1b2c')
      const {code, shown, used} = await conflict(key)
      assert.equal(code, 0, shown)
      assert.deepEqual(used, [join(scratch.path, root)])
      assert.deepEqual(
        roots(),
        written.map((name) => join(scratch.path, name)),
      )
      assert.equal(record().sticky, sticky)
    })
  }

  it('W8, Q2: q ends with 1, Ctrl-C with 130, and neither writes anything', async () => {
    await use('l1b2c')
    ageRoots(scratch.data)
    const state = (): string[] => [scratch.data, app, lib].flatMap(listing)
    const before = state()
    assert.equal((await conflict('q')).code, 1)
    assert.equal((await conflict('\u0003')).code, 130)
    assert.deepEqual(state(), before)
  })

  it('W8: a sticky pin asks nothing inside another workspace, and says where it works', async () => {
    await use('l1b2c', '--always')
    const {code, shown, used} = await run(app, ...load)
    assert.deepEqual([code, used], [0, [lib]])
    assert.match(shown, new RegExp(`^Working in lib \\(l1b2c\\) at ${lib}, as this session has chosen\\.\n`))
  })

  it('W8: outside any workspace the session counts; one that is gone is recovered through its id', async () => {
    await use('l1b2c')
    const outside = scratch.folder('outside')
    assert.deepEqual((await run(outside, ...load)).used, [lib])
    const sibling = loadable(scratch, 'lib-2', 'l1b2c')
    assert.equal((await jp(sibling, ...load)).code, 0)
    rmSync(lib, {recursive: true})
    const {code, shown, used} = await run(outside, ...load)
    assert.deepEqual([code, used], [0, [sibling]])
    assert.match(shown, new RegExp(`Working in lib \\(l1b2c\\) at ${sibling} \\(${lib} is gone\\)`))
    assert.deepEqual(roots(), [sibling])
  })

  it('W7, W8: an ambiguous id asks which checkout; typing narrows the list', async () => {
    const sibling = loadable(scratch, 'lib-2', 'l1b2c')
    assert.equal((await jp(sibling, ...load)).code, 0)
    ageRoots(scratch.data)
    const started = terminal(scratch.folder('outside'), '-w', 'l1b2c', ...load)
    await started.waitFor('lib (l1b2c) has 2 checkouts. Which one?')
    await started.waitFor(`at ${lib}`)
    started.type('lib-2')
    await started.waitFor(/lib-2[^\n]*\r\n[^\n]*❯ lib \(l1b2c\) at [^\n]*lib-2/)
    started.type('\r')
    const {code, used} = await endOf(started)
    assert.deepEqual([code, used], [0, [sibling]])
    assert.equal(existsSync(file()), false)
  })

  it('W7: ? opens the picker over all workspaces, also where the cwd would do', async () => {
    const started = terminal(app, '-w', '?', ...load)
    await started.waitFor('Which workspace?')
    await started.waitFor(/❯ .* at /)
    started.type('\r')
    assert.equal(await started.exited, 0)
  })

  it('W7: a part of a name is enough on a terminal when it fits one checkout only', async () => {
    const {code, shown, used} = await run(scratch.folder('outside'), '-w', 'li', ...load)
    assert.deepEqual([code, used], [0, [lib]], shown)
  })

  it('W9: the question is drawn on the terminal, not on stdout, and stdin is left for the content', async () => {
    await use('l1b2c')
    const out = join(scratch.path, 'out')
    const {launcher} = await import('../support/jp.js')
    const started = startOnTerminal(
      [
        `printf 'line\\nmore\\n' | { "${process.execPath}" "${launcher}" c use jp-c17000000001 --format json > "${out}" 2> "${out}.err"; cat; }`,
      ],
      {cwd: app, env, columns: 200, shell: true},
    )
    await started.waitFor('q  quit')
    started.type('c')
    assert.equal(await started.exited, 0)
    assert.equal(readFileSync(out, 'utf8'), '{"id":"jp-c17000000001"}\n')
    assert.doesNotMatch(readFileSync(`${out}.err`, 'utf8'), /Where should/)
    assert.match(started.received, /line\r\nmore\r\n$/)
  })

  it('W9: a run on a terminal that is told not to ask takes the cwd, whatever the session has', async () => {
    await use('l1b2c', '--always')
    env['JP_NON_INTERACTIVE'] = '1'
    assert.deepEqual((await run(app, ...load)).used, [app])
    assert.equal((await run(app, '-w', '?', ...load)).code, 2)
    assert.equal((await run(scratch.folder('outside'), ...load)).code, 3)
    env['JP_NON_INTERACTIVE'] = ''
    assert.deepEqual((await run(app, ...load, '--non-interactive')).used, [app])
  })

  it('W9: CI and a piped stdout do not decide whether there is somebody to ask', async () => {
    await use('l1b2c')
    env['CI'] = 'true'
    assert.equal((await conflict('c')).code, 0)
  })

  it('W6: keys that this version does not know survive a selection', async () => {
    await use('l1b2c')
    const written = record()
    writeFileSync(file(), JSON.stringify({...written, later: {a: 1}, history: [{...written.history[0], note: 'x'}]}))
    await use('a1b2c')
    const kept = JSON.parse(readFileSync(file(), 'utf8'))
    assert.deepEqual([kept.later, kept.history[1].note], [{a: 1}, 'x'])
  })

  it('FR-15: a damaged record counts as none, is said, and its bytes stay when a new one is written', async () => {
    await use('l1b2c')
    for (const size of [0, 1, 77]) {
      const bytes = readFileSync(file()).subarray(0, size)
      writeFileSync(file(), bytes)
      const {code, shown} = await run(app, ...load)
      assert.equal(code, 0)
      assert.match(shown, new RegExp(`${file()} can't be read: this session counts as having chosen nothing`))
      assert.deepEqual(readFileSync(file()), bytes)
      await use('l1b2c')
      const aside = readdirSync(join(scratch.data, 'sessions')).filter((name) => name.includes('.damaged'))
      assert.ok(aside.some((name) => readFileSync(join(scratch.data, 'sessions', name)).equals(bytes)))
    }
  })

  it('W5: a session that the kernel names is forgotten when its leader is gone', async () => {
    delete env['JP_SESSION']
    await use('l1b2c')
    const [name] = readdirSync(join(scratch.data, 'sessions')).filter((entry) => entry.startsWith('getsid-'))
    assert.ok(name)
    const kept = JSON.parse(readFileSync(join(scratch.data, 'sessions', name), 'utf8'))
    assert.deepEqual([kept.source, `getsid-${kept.id}.json`], [{type: 'getsid'}, name])
    // The leader was that run itself, which has ended: the next run that loads removes the record.
    assert.equal((await run(app, ...load)).code, 0)
    assert.deepEqual(
      readdirSync(join(scratch.data, 'sessions')).filter((entry) => entry.startsWith('getsid-')),
      [],
    )
  })
})
