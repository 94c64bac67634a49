import assert from 'node:assert/strict'
import {existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {type Run, runJp} from '../support/jp.js'
import {createScratch, git, listing, type Scratch} from '../support/scratch.js'

describe('where a conversation last ran', () => {
  let scratch: Scratch
  let one: string
  let two: string
  beforeEach(() => {
    scratch = createScratch()
    one = scratch.checkout('one', 'abcde')
    git(one, scratch.env, 'init', '-q')
    git(one, scratch.env, 'add', '-A')
    git(one, scratch.env, 'commit', '-qm', 'x')
    git(one, scratch.env, 'worktree', 'add', '-q', '../two')
    two = join(scratch.path, 'two')
    scratch.write('home/.config/jp/config.toml', 'assistant.model.id = "echo/echo"\n')
  })
  afterEach(() => scratch.remove())

  const run = (cwd: string, args: readonly string[], more: {session?: string; input?: string} = {}): Promise<Run> => {
    const {session = 'tab', input} = more
    return runJp(args, {cwd, env: {...scratch.env, JP_SESSION: session}, ...(input === undefined ? {} : {input})})
  }
  const jp = async (cwd: string, ...args: string[]): Promise<string> => {
    const {code, stdout, stderr} = await run(cwd, args)
    assert.equal(code, 0, stderr)
    return stdout
  }
  /** The store is named after the checkout that was opened first. */
  const shelf = (): string => {
    const [name = ''] = readdirSync(join(scratch.data, 'workspace'))
    return join(scratch.data, 'workspace', name, 'conversations')
  }
  const folder = (): string => {
    const places = [shelf(), join(shelf(), '.archive')].filter((place) => existsSync(place))
    const found = places.flatMap((place) => readdirSync(place).map((name) => join(place, name)))
    return found.find((path) => /\/\d{11}[^/]*$/.test(path)) ?? assert.fail('there is no conversation')
  }
  const file = () => join(folder(), 'metadata.local.json')
  const local = () => JSON.parse(readFileSync(file(), 'utf8'))

  it('S19, S20, S21, S22, S23: the record keeps what it does not know, through turns, a title, edits, the archive and an import; never in a checkout', async () => {
    await jp(one, 'query', '--new', 'hi')
    assert.deepEqual(Object.keys(local()), ['last_root'])
    assert.deepEqual(Object.keys(local().last_root), ['path', 'last_used'])
    assert.equal(local().last_root.path, one)
    assert.match(local().last_root.last_used, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/)
    const unknown = {more: {a: [1]}, last_root: {...local().last_root, branch: 'main', deep: {x: 1}}}
    writeFileSync(file(), JSON.stringify(unknown))
    const kept = (path: string): void => {
      const {more, last_root: record} = local()
      assert.deepEqual([more, record.branch, record.deep, record.path], [{a: [1]}, 'main', {x: 1}, path])
    }
    const id = `jp-c${/\d{11}/.exec(folder())?.[0]}`

    await jp(one, 'c', 'edit', id, '--title', 'A new title')
    assert.match(folder(), /-a-new-title$/)
    kept(one)
    const events = readFileSync(join(folder(), 'events.json'), 'utf8')
    const edited = await run(one, ['c', 'edit', id, '-e', '--yes'], {input: events.replace('"hi"', '"HI"')})
    assert.equal(edited.code, 0, edited.stderr)
    kept(one)
    await jp(one, 'c', 'archive', id)
    assert.match(folder(), /\.archive/)
    kept(one)
    await jp(one, 'c', 'unarchive', id, '--yes')
    kept(one)
    // The projection of the other checkout is newer and comes with a record of somebody else's machine.
    const projected = join(two, '.jp', 'conversations', folder().slice(shelf().length + 1))
    mkdirSync(projected, {recursive: true})
    for (const name of ['metadata.json', 'base_config.json', 'events.json'])
      writeFileSync(join(projected, name), readFileSync(join(folder(), name)))
    writeFileSync(join(projected, 'metadata.local.json'), '{"last_root":{"path":"/theirs"}}')
    await jp(two, 'query', '--id', id, 'go on')
    kept(two)
    await jp(one, 'query', '--id', id, 'and on')
    kept(one)
    const inCheckouts = [one, two].flatMap((root) =>
      readdirSync(join(root, '.jp'), {recursive: true, encoding: 'utf8'}).filter((name) => name.includes('local')),
    )
    assert.deepEqual(inCheckouts, [`${projected.slice(join(two, '.jp').length + 1)}/metadata.local.json`])
    assert.equal(readFileSync(join(projected, 'metadata.local.json'), 'utf8'), '{"last_root":{"path":"/theirs"}}')
    await jp(one, 'c', 'rm', id, '--yes')
    assert.deepEqual(
      readdirSync(shelf()).filter((name) => !name.startsWith('.')),
      [],
    )
  })

  it('FR-01, S28: two worktrees, a conversation in each: rows say where each ran; going on elsewhere is said, and touches one tree', async () => {
    await jp(one, 'query', '--new', 'first')
    const other = await run(two, ['query', '--new', 'second'], {session: 'other'})
    assert.equal(other.code, 0, other.stderr)
    const rows = async (cwd: string) =>
      (JSON.parse(await jp(cwd, 'c', 'ls', '--format', 'json')) as {last_root: {path: string; live: boolean}}[]).map(
        ({last_root: record}) => [record.path, record.live],
      )
    for (const cwd of [one, two]) {
      assert.deepEqual(await rows(cwd), [
        [one, true],
        [two, true],
      ])
    }
    assert.match(await jp(two, 'c', 'ls', '--width', '300'), new RegExp(`${one}[^]*${two}|one[^]*two`))
    const before = listing(join(one, '.jp'))
    const ids = (JSON.parse(await jp(one, 'c', 'ls', '--format', 'json')) as {id: string}[]).map(({id}) => id)
    const fresh = await run(two, ['query', 'in a session without a conversation'], {session: 'fresh'})
    assert.equal(fresh.code, 0, fresh.stderr)
    assert.equal((await rows(two)).length, 3, 'a new conversation: the sibling’s is never continued silently')
    const there = await run(two, ['query', '--id', ids[0] ?? '', 'go on'], {session: 'fresh'})
    assert.match(there.stderr, new RegExp(`last ran in ${one}; running in ${two}`))
    assert.deepEqual(listing(join(one, '.jp')), before)
  })

  it('FR-03, S24: a worktree that was removed: listed, read and gone on with; nothing is lost', async () => {
    await jp(two, 'query', '--new', 'in the worktree')
    git(one, scratch.env, 'worktree', 'remove', '--force', two)
    assert.equal(existsSync(two), false)
    const [entry] = JSON.parse(await jp(one, 'c', 'ls', '--format', 'json')) as {
      id: string
      last_root: {path: string; live: boolean}
    }[]
    assert.deepEqual([entry?.last_root.path, entry?.last_root.live], [two, false])
    assert.match(await jp(one, 'c', 'print', entry?.id ?? ''), /in the worktree/)
    const continued = await run(one, ['query', '--id', entry?.id ?? '', 'and on'])
    assert.equal(continued.code, 0, continued.stderr)
    assert.match(continued.stderr, new RegExp(`last ran in ${two}`))
    assert.equal(local().last_root.path, one)
    const events = JSON.parse(readFileSync(join(folder(), 'events.json'), 'utf8')) as {content?: string}[]
    assert.deepEqual(
      events.flatMap(({content}) => content ?? []),
      ['in the worktree', 'and on'],
    )
  })
})
