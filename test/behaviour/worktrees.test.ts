import assert from 'node:assert/strict'
import {mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync} from 'node:fs'
import {join} from 'node:path'
import {type Run, runJp} from '../support/jp.js'
import {load, loadable} from '../support/load.js'
import {createScratch, git, listing, type Scratch} from '../support/scratch.js'

type Listed = {
  id: string
  slug: string | null
  launch: boolean
  roots: {path: string; storage: string; last_used: string}[]
}

describe('checkouts of one workspace', () => {
  let scratch: Scratch
  beforeEach(() => {
    scratch = createScratch()
  })
  afterEach(() => scratch.remove())

  const jp = (cwd: string, ...args: string[]): Promise<Run> => runJp(args, {cwd, env: scratch.env})
  const open = async (cwd: string): Promise<void> => {
    const run = await jp(cwd, ...load)
    assert.equal(run.code, 0, run.stderr)
  }
  const list = async (cwd: string): Promise<Listed[]> =>
    JSON.parse((await jp(cwd, 'w', 'ls', '--format', 'json')).stdout)

  /** A repository with a committed `.jp/.id`, and a real linked worktree. */
  const twoWorktrees = (): {main: string; linked: string} => {
    const main = loadable(scratch, 'app', 'a1b2c')
    const linked = join(scratch.path, 'app-wt')
    git(main, scratch.env, 'init', '-q')
    git(main, scratch.env, 'add', '.jp')
    git(main, scratch.env, 'commit', '-qm', 'start')
    git(main, scratch.env, 'worktree', 'add', '-q', linked)
    return {main, linked}
  }

  it('W2, W3, S17: two worktrees are one workspace with two roots and one store', async () => {
    const {main, linked} = twoWorktrees()
    await open(main)
    await open(linked)
    const [workspace, ...others] = await list(main)
    assert.deepEqual(others, [])
    assert.deepEqual(Object.keys(workspace ?? {}), ['id', 'slug', 'launch', 'roots'])
    assert.deepEqual([workspace?.id, workspace?.slug, workspace?.launch], ['a1b2c', 'app', true])
    assert.deepEqual(workspace?.roots.map(({path}) => path).sort(), [main, linked])
    for (const root of workspace?.roots ?? []) {
      assert.deepEqual(Object.keys(root), ['path', 'storage', 'last_used'])
      assert.equal(root.storage, join(root.path, '.jp'))
      assert.match(root.last_used, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    }
    assert.deepEqual(readdirSync(join(scratch.data, 'workspace')), ['app-a1b2c'])
  })

  it('W7, W8: an id with two checkouts is exit 2 without a terminal and lists a command for each; ID@FOLDER settles it', async () => {
    const {main, linked} = twoWorktrees()
    await open(main)
    await open(linked)
    const outside = scratch.folder('outside')
    const run = await jp(outside, '-w', 'a1b2c', ...load)
    assert.equal(run.code, 2)
    assert.equal(run.stdout, '')
    const [first, ...commands] = run.stderr.trimEnd().split('\n')
    assert.equal(first, 'Error: app (a1b2c) has 2 checkouts. Name one:')
    assert.deepEqual(
      commands.sort(),
      [`  jp -w ${main} c use jp-c17000000001`, `  jp -w ${linked} c use jp-c17000000001`].sort(),
    )
    for (const target of ['a1b2c@app-wt', 'app@app-wt']) {
      assert.match(
        (await jp(outside, '-w', target, 'w', 'show')).stdout,
        new RegExp(`Root +\\| ${linked}|Root +${linked}`),
      )
    }
    const json = await jp(outside, '-w', 'a1b2c', ...load, '--format', 'json')
    const error = JSON.parse(json.stderr)
    assert.deepEqual(
      [error.code, error.exit_code, error.roots.sort()],
      ['checkout_ambiguous', 2, [main, linked].sort()],
    )
  })

  it('W12: -w in every spelling and place comes to the same checkout', async () => {
    const {main, linked} = twoWorktrees()
    await open(main)
    const spellings = [
      ['-w', linked, 'w', 'show', '--format', 'json'],
      [`-w${linked}`, 'w', 'show', '--format', 'json'],
      ['--workspace', linked, 'w', 'show', '--format', 'json'],
      [`--workspace=${linked}`, 'w', 'show', '--format', 'json'],
      ['w', '-w', linked, 'show', '--format', 'json'],
      ['w', 'show', '-w', linked, '--format', 'json'],
      ['w', 'show', '--format=json', `-w${linked}`],
      ['w', 'show', linked, '--format', 'json'],
      ['w', 'show', '../app-wt', '--format', 'json'],
    ]
    for (const args of spellings) {
      const run = await jp(main, ...args)
      assert.equal(run.code, 0, run.stderr)
      assert.equal(JSON.parse(run.stdout).root, linked, args.join(' '))
    }
  })

  it('W8, FR-04: a moved checkout: the path that the user names wins, the id finds the one that lives, the old one is shown as gone', async () => {
    const old = loadable(scratch, 'proj', 'm0v3d')
    await open(old)
    const moved = join(scratch.path, 'proj2')
    renameSync(old, moved)
    const outside = scratch.folder('outside')
    const lost = await jp(outside, '-w', 'm0v3d', ...load)
    assert.equal(lost.code, 3)
    assert.match(lost.stderr, new RegExp(`^Error: No checkout of "m0v3d" is left on this machine: ${old}\\.`))
    assert.equal((await jp(outside, '-w', moved, ...load)).code, 0)
    const run = await jp(outside, '-w', 'm0v3d', 'w', 'show', '--format', 'json')
    assert.deepEqual([JSON.parse(run.stdout).root, JSON.parse(run.stdout).gone], [moved, [old]])
    const people = (await jp(outside, 'w', 'ls')).stdout
    assert.match(people, new RegExp(`${old} \\(gone\\)`))
    assert.deepEqual(
      (await list(outside))[0]?.roots.map(({path}) => path),
      [moved],
    )
    const named = await jp(outside, '-w', old, ...load)
    assert.equal(named.code, 3)
    assert.match(named.stderr, new RegExp(`\\n  jp -w ${moved} c use jp-c17000000001\\n`))
  })

  it('W4, W3: prune forgets what is gone and nothing else, and --dry-run only says so', async () => {
    const {main, linked} = twoWorktrees()
    await open(main)
    await open(linked)
    git(main, scratch.env, 'worktree', 'remove', '--force', linked)
    const before = listing(scratch.data)
    const dry = await jp(main, 'w', 'prune', '--dry-run', '--format', 'json')
    assert.deepEqual(
      JSON.parse(dry.stdout).map(({path}: {path: string}) => path),
      [linked],
    )
    assert.deepEqual(listing(scratch.data), before)
    assert.equal((await jp(main, 'w', 'prune')).code, 0)
    const roots = readdirSync(join(scratch.data, 'workspace', 'app-a1b2c', 'roots'))
    assert.equal(roots.length, 1)
    assert.deepEqual(JSON.parse((await jp(main, 'w', 'prune', '--format', 'json')).stdout), [])
  })

  it('FR-02: in a linked worktree, where .git is a file, nothing is written below .git', async () => {
    const {main, linked} = twoWorktrees()
    const before = listing(join(main, '.git'))
    const file = readFileSync(join(linked, '.git'), 'utf8')
    await open(linked)
    assert.equal((await jp(linked, 'init', '--model', 'echo/echo')).code, 4)
    mkdirSync(join(linked, 'sub'))
    assert.equal((await jp(join(linked, 'sub'), 'init', '--model', 'echo/echo')).code, 0)
    assert.equal((await jp(linked, 'w', 'prune')).code, 0)
    assert.deepEqual(listing(join(main, '.git')), before)
    assert.equal(readFileSync(join(linked, '.git'), 'utf8'), file)
    const withoutGit = {...scratch.env, PATH: scratch.folder('no-programs')}
    assert.equal((await runJp([...load], {cwd: linked, env: withoutGit})).code, 0)
  })

  it('FR-05: paths that a lossy name would fold have records of their own', async () => {
    const names = ['data-x', 'data/x', 'data_x', 'data.x']
    for (const name of names) await open(loadable(scratch, name, 's4m3a'))
    for (const [index, name] of names.entries()) await open(loadable(scratch, `d${name}`, `d1ff${index}`))
    const shared = (await list(scratch.path)).find(({id}) => id === 's4m3a')
    assert.deepEqual(shared?.roots.map(({path}) => path).sort(), names.map((name) => join(scratch.path, name)).sort())
    const silo = join(scratch.data, 'workspace', 'data-x-s4m3a', 'roots')
    const before = listing(silo)
    await open(join(scratch.path, 'data', 'x'))
    assert.deepEqual(listing(silo), before)
    assert.equal(readdirSync(silo).length, 4)
  })

  it('FR-06: a checkout reached through a link is the same one', async () => {
    const real = loadable(scratch, 'real', 'r34lx')
    const {symlinkSync} = await import('node:fs')
    symlinkSync(real, join(scratch.path, 'alias'))
    await open(join(scratch.path, 'alias'))
    await open(real)
    assert.deepEqual(
      (await list(scratch.path))[0]?.roots.map(({path}) => path),
      [real],
    )
  })

  it('W1, FR-07: the nearest .jp wins, submodules and $HOME included, and the user folders are no workspace', async () => {
    git(scratch.home, scratch.env, 'init', '-q')
    loadable(scratch, 'home', 'h0m3x')
    const foo = loadable(scratch, 'home/projects/foo', 'f00xx')
    const sub = loadable(scratch, 'home/projects/foo/sub', 'subxx')
    scratch.write('home/projects/foo/sub/.git', 'gitdir: ../.git/modules/sub\n')
    scratch.folder('home/projects/foo/.git/modules/sub')
    const roots: [string, string][] = [
      [foo, foo],
      [scratch.folder('home/projects/foo/src'), foo],
      [sub, sub],
      [scratch.folder('home/projects/foo/sub/deep'), sub],
      [scratch.folder('home/.config/jp'), scratch.home],
      [scratch.folder('home/.local/share/jp'), scratch.home],
    ]
    for (const [cwd, root] of roots) {
      assert.equal(JSON.parse((await jp(cwd, 'w', 'show', '--format', 'json')).stdout).root, root, cwd)
    }
    // A data folder that is itself called `.jp` makes no workspace of the folder above it.
    const inner = scratch.folder('elsewhere/.jp')
    rmSync(join(scratch.home, '.jp'), {recursive: true})
    const env = {...scratch.env, JP_USER_DATA_DIR: inner}
    const run = await runJp(['w', 'show', '--format', 'json'], {cwd: scratch.folder('elsewhere'), env})
    assert.equal(JSON.parse(run.stdout).root, null)
  })

  it('W33: user-local folders are 0700 and files 0600 whatever the umask', async () => {
    const root = loadable(scratch, 'app', 'a1b2c')
    const {execFileSync} = await import('node:child_process')
    const {launcher} = await import('../support/jp.js')
    execFileSync('/bin/sh', ['-c', `umask 000; exec "${process.execPath}" "${launcher}" c use jp-c17000000001`], {
      cwd: root,
      env: {...scratch.env, JP_SESSION: 'umask'},
      stdio: 'ignore',
    })
    const silo = join(scratch.data, 'workspace', 'app-a1b2c')
    for (const folder of [scratch.data, join(scratch.data, 'workspace'), silo, join(silo, 'roots')])
      assert.equal((statSync(folder).mode & 0o777).toString(8), '700', folder)
    for (const name of readdirSync(join(silo, 'roots')))
      assert.equal((statSync(join(silo, 'roots', name)).mode & 0o777).toString(8), '600')
  })

  it('W17, W18: a new worktree brings an old state of a conversation: it counts there, and no event is lost', async () => {
    const {main} = twoWorktrees()
    const query = (cwd: string, ...args: string[]): Promise<Run> => jp(cwd, 'query', '-m', 'echo/echo', ...args)
    const [id = ''] = /jp-c[0-9]+/.exec((await query(main, '--new', '-F', 'json', 'first')).stdout) ?? []
    git(main, scratch.env, 'add', '.jp')
    git(main, scratch.env, 'commit', '-qm', 'a conversation')
    assert.equal((await query(main, '--id', id, 'second')).code, 0)
    const silo = join(scratch.data, 'workspace', 'app-a1b2c', 'conversations')
    const name = id.slice('jp-c'.length)
    const acknowledged = readFileSync(join(silo, name, 'events.json'), 'utf8')
    const other = join(scratch.path, 'other')
    git(main, scratch.env, 'worktree', 'add', '-q', other)
    const run = await query(other, '--id', id, 'third')
    const kept = join(silo, '.trash', name, 'events.json')
    assert.match(run.stderr, new RegExp(`lacks events that it held\\. They are kept in ${kept}\n`))
    assert.equal(readFileSync(kept, 'utf8'), acknowledged)
    const printed = (await jp(main, 'c', 'print', id)).stdout
    assert.deepEqual([/first/.test(printed), /second/.test(printed), /third/.test(printed)], [true, false, true])
  })
})
