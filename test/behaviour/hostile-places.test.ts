import assert from 'node:assert/strict'
import {execFileSync, spawnSync} from 'node:child_process'
import {chmodSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {launcher, type Run, runJp} from '../support/jp.js'
import {load, loadable, plantLoadable} from '../support/load.js'
import {createScratch, listing, type Scratch} from '../support/scratch.js'

const isRoot = process.getuid?.() === 0

describe('places that are not what they seem', () => {
  let scratch: Scratch
  beforeEach(() => {
    scratch = createScratch()
    // The compile cache of jp: apart from what a run may change.
    scratch.folder('home/.cache')
  })
  afterEach(() => {
    execFileSync('chmod', ['-R', 'u+rwX', scratch.path])
    scratch.remove()
  })

  const jp = (cwd: string, ...args: string[]): Promise<Run> => runJp(args, {cwd, env: scratch.env})

  /** The run fails with this code and message, and nothing but the compile cache has changed. */
  const refuses = async (cwd: string, code: number, message: RegExp, ...args: string[]): Promise<void> => {
    const kept = (): string[] => listing(scratch.path).filter((line) => !line.includes('/.cache'))
    const before = kept()
    const run = await jp(cwd, ...args)
    assert.deepEqual([run.code, run.stdout], [code, ''], run.stderr)
    assert.match(run.stderr, message)
    assert.doesNotMatch(run.stderr, /inside jp|\n {4}at /)
    assert.deepEqual(kept(), before)
  }

  it('W32: a .jp that is a link is refused, also where a real one lies further up', async () => {
    const outer = loadable(scratch, 'outer', '0ut3r')
    const target = loadable(scratch, 'target', 't4rg3')
    const inner = scratch.folder('outer/inner')
    symlinkSync(join(target, '.jp'), join(inner, '.jp'))
    const message = new RegExp(`^Error: ${inner}/\\.jp is a symbolic link, which jp does not follow\\.\n`)
    await refuses(inner, 5, message, ...load)
    await refuses(outer, 5, message, '-w', 'inner', ...load)
    await refuses(inner, 4, /^Error: .*\.jp is in the way\./, 'init')
    assert.equal((await jp(inner, 'w', 'ls')).code, 0)
  })

  it('W32: a .jp or an .id that is a FIFO is refused without blocking', async () => {
    const place = scratch.folder('place')
    execFileSync('mkfifo', [join(place, '.jp')])
    await refuses(place, 5, /\.jp is neither a folder nor a file\./, ...load)
    const other = scratch.folder('other/.jp')
    execFileSync('mkfifo', [join(other, '.id')])
    await refuses(join(scratch.path, 'other'), 5, /\.id is not a regular file\./, ...load)
  })

  it('W32: an .id that is a link is refused', async () => {
    const place = scratch.folder('place/.jp')
    scratch.write('elsewhere', 'a1b2c\n')
    symlinkSync('../../elsewhere', join(place, '.id'))
    await refuses(join(scratch.path, 'place'), 5, /\.id is a symbolic link\./, ...load)
  })

  for (const id of [
    '../../x',
    'ABCDE',
    'a1b2',
    'a1b2c3',
    '',
    'a/b2c',
    '<<<<<<< HEAD\na1b2c\n=======\nb1b2c\n>>>>>>> x',
  ]) {
    it(`W32: an id of ${JSON.stringify(id)} never reaches a path, and is not replaced`, async () => {
      loadable(scratch, 'place', id)
      await refuses(join(scratch.path, 'place'), 8, /holds no workspace id: its last line must be/, ...load)
    })
  }

  it('W7, W32: a target that climbs is a path, never a part of one', async () => {
    const place = loadable(scratch, 'place', 'a1b2c')
    await refuses(place, 3, /^Error: There is no folder /, '-w', '../../../../nowhere/x', ...load)
    await refuses(place, 2, /^Error: The target of -w is empty\./, '-w', '', ...load)
  })

  it('W1: a plain file called .jp is no workspace', async () => {
    const outer = loadable(scratch, 'outer', '0ut3r')
    scratch.write('outer/inner/.jp', '')
    const run = await jp(join(outer, 'inner'), 'w', 'show', '--format', 'json')
    assert.equal(JSON.parse(run.stdout).root, outer)
  })

  it('W1: a checkout without .id gets one from a run that loads, which says so; reading runs fail', async () => {
    const place = scratch.folder('place')
    plantLoadable(place)
    await refuses(place, 8, /\.id is missing, so nothing tells which workspace this is\./, 'w', 'show')
    const run = await jp(place, ...load)
    assert.equal(run.code, 0)
    assert.match(run.stderr, new RegExp(`^${place} had no workspace id; it is [0-9a-z]{5} now\\.\n`))
    const [silo] = readdirSync(join(scratch.data, 'workspace'))
    assert.match(silo ?? '', /^place-[0-9a-z]{5}$/)
  })

  it('W1: runs that name a checkout at once agree on one id and one store', async () => {
    const place = plantLoadable(scratch.folder('place'))
    const runs = await Promise.all(Array.from({length: 6}, () => jp(place, ...load)))
    assert.deepEqual(
      runs.map(({code}) => code),
      runs.map(() => 0),
      runs.map(({stderr}) => stderr).join(''),
    )
    assert.equal(readdirSync(join(scratch.data, 'workspace')).length, 1)
    assert.deepEqual(readdirSync(join(place, '.jp')).sort(), ['.id', 'conversations'])
  })

  it('W1: a lost .id does not detach the store: the error names the id and the command that brings it back', async () => {
    const place = loadable(scratch, 'place', 'a1b2c')
    assert.equal((await jp(place, ...load)).code, 0)
    execFileSync('rm', [join(place, '.jp', '.id')])
    await refuses(
      place,
      8,
      new RegExp(`This checkout was one of workspace a1b2c\\.\n.*echo a1b2c > ${place}/\\.jp/\\.id\n`),
      'c',
      'ls',
    )
    execFileSync('/bin/sh', ['-c', `echo a1b2c > ${place}/.jp/.id`])
    assert.equal((await jp(place, ...load)).code, 0)
  })

  it('W8: in a folder that was removed: a clear error, exit 3', async () => {
    const run = spawnSync(
      '/bin/sh',
      ['-c', `mkdir gone && cd gone && rmdir ../gone && "${process.execPath}" "${launcher}" c use jp-c17000000001`],
      {
        cwd: scratch.path,
        env: {...scratch.env},
        encoding: 'utf8',
      },
    )
    assert.equal(run.status, 3)
    assert.match(run.stderr, new RegExp(`^Error: The folder you are in, ${scratch.path}/gone, is gone\\.\n`))
  })

  it('W2, W32: a data folder that can not be written: exit 1, nothing changed; reading still works', async function () {
    const place = loadable(scratch, 'place', 'a1b2c')
    mkdirSync(scratch.data, {recursive: true})
    if (isRoot && spawnSync('setpriv', ['--version']).status !== 0) this.skip()
    execFileSync('chmod', ['-R', 'a+rX', scratch.path])
    chmodSync(scratch.data, 0o555)
    const as = (...args: string[]) => {
      const command = [process.execPath, launcher, ...args]
      const user = isRoot ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', ...command] : command
      return spawnSync(user[0] ?? '', user.slice(1), {cwd: place, env: {...scratch.env}, encoding: 'utf8'})
    }
    const before = listing(scratch.data)
    const run = as(...load)
    assert.equal(run.status, 1, run.stderr)
    assert.match(run.stderr, /^Error: Can't write .*: permission denied\./)
    assert.deepEqual(listing(scratch.data), before)
    assert.equal(as('w', 'ls').status, 0)
    assert.equal(as('w', 'show').status, 0)
  })

  it('W32: a full disk: the error says so, names the path, and leaves nothing behind', function () {
    if (!isRoot || spawnSync('unshare', ['-m', 'true']).status !== 0) this.skip()
    const place = loadable(scratch, 'place', 'a1b2c')
    mkdirSync(scratch.data, {recursive: true})
    const script = `
      set -e
      mount -t tmpfs -o size=256k tmpfs "$DATA"
      mkdir "$DATA/workspace"
      dd if=/dev/zero of="$DATA/fill" bs=1k count=256 2>/dev/null || true
      find "$DATA" | sort > "$OUT.before"
      "$NODE" "$JP" c use jp-c17000000001 2> "$OUT.err" && code=0 || code=$?
      find "$DATA" | sort > "$OUT.after"
      cmp "$OUT.before" "$OUT.after"
      rm "$DATA/fill"
      "$NODE" "$JP" c use jp-c17000000001 > "$OUT.later" 2>&1
      echo $code`
    const run = spawnSync('unshare', ['-m', '/bin/sh', '-c', script], {
      cwd: place,
      env: {
        ...scratch.env,
        JP_SESSION: 'full-disk',
        DATA: scratch.data,
        OUT: join(scratch.path, 'out'),
        NODE: process.execPath,
        JP: launcher,
      },
      encoding: 'utf8',
    })
    assert.equal(run.stdout, '1\n', run.stderr)
    const told = execFileSync('cat', [join(scratch.path, 'out.err')], {encoding: 'utf8'})
    assert.match(told, new RegExp(`^Error: Can't write ${scratch.data}/workspace.*: the disk is full\\.\n`))
  })

  it('FR-15: a damaged registry record hides nothing, and its bytes stay', async () => {
    const place = loadable(scratch, 'place', 'a1b2c')
    assert.equal((await jp(place, ...load)).code, 0)
    const registry = join(scratch.data, 'workspace', 'place-a1b2c', 'roots')
    const [name = ''] = readdirSync(registry)
    for (const text of ['', '{', '{"path": 5}']) {
      writeFileSync(join(registry, name), text)
      assert.equal((await jp(scratch.path, 'w', 'ls')).code, 0)
      const run = await jp(place, ...load)
      assert.equal(run.code, 0)
      assert.match(run.stderr, /A damaged registry entry was set aside as /)
    }
    const aside = readdirSync(registry).filter((entry) => entry.includes('.damaged'))
    assert.equal(aside.length, 3)
    assert.equal(existsSync(join(registry, name)), true)
  })
})
