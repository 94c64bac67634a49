import assert from 'node:assert/strict'
import {chmodSync, cpSync, globSync, readdirSync, readFileSync, statSync} from 'node:fs'
import {join} from 'node:path'
import {elementTexts} from '../support/element-texts.js'
import {type Run, runJp, sharedFolder} from '../support/jp.js'
import {createScratch, type Scratch} from '../support/scratch.js'

type Stamp = {readonly mtimeNs: bigint; readonly bytes: string}

const stampsOf = (folder: string): Map<string, Stamp> =>
  new Map(
    globSync('**/*', {cwd: folder, withFileTypes: true})
      .filter((entry) => entry.isFile())
      .map((entry) => {
        const path = join(entry.parentPath, entry.name)
        return [path, {mtimeNs: statSync(path, {bigint: true}).mtimeNs, bytes: readFileSync(path, 'utf8')}]
      }),
  )

/** A copy of the real workspace that lies beside the checkout; undefined where it is absent (Q35). */
const copyRealWorkspace = (scratch: Scratch): string | undefined => {
  const shared = sharedFolder()
  if (shared === undefined) return undefined
  const root = join(scratch.path, 'real')
  cpSync(join(shared, 'fixtures', 'real-workspace'), root, {recursive: true, preserveTimestamps: true})
  for (const path of globSync('**/*', {cwd: root, dot: true} as {cwd: string})) chmodSync(join(root, path), 0o755)
  chmodSync(root, 0o755)
  return root
}

describe('the real workspace', () => {
  let scratch: Scratch
  beforeEach(() => {
    scratch = createScratch()
  })
  afterEach(() => scratch.remove())

  it('W17, W18, W35, S20: each conversation continues with echo; every event that was there stays byte for byte, and what was not written keeps its mtime', async function () {
    const root = copyRealWorkspace(scratch)
    if (root === undefined) return this.skip()
    const conversations = join(root, '.jp', 'conversations')
    const env = {...scratch.env, JP_SESSION: 'real'}
    const jp = (...args: readonly string[]): Promise<Run> => runJp(args, {cwd: root, env})
    const entries = [...readdirSync(conversations), ...readdirSync(join(conversations, '.archive'))].filter((name) =>
      /^\d/.test(name),
    )
    assert.equal(entries.length, 7)
    for (const name of entries) {
      const id = `jp-c${name.split('-')[0]}`
      const archived = readdirSync(join(conversations, '.archive')).includes(name)
      if (archived) assert.equal((await jp('c', 'unarchive', id, '--yes')).code, 0)
      const file = globSync(`${conversations}/${name.split('-')[0]}*/events.json`)[0] ?? ''
      const before = elementTexts(readFileSync(file, 'utf8'))
      const others = stampsOf(root)
      const run = await jp('query', '--id', id, '--model', 'echo/echo', '--no-tools', `go on with ${id}`)
      assert.deepEqual([run.code, run.stdout], [0, `go on with ${id}\n`], `${name}: ${run.stderr}`)
      const after = elementTexts(readFileSync(file, 'utf8'))
      assert.ok(after.length > before.length, name)
      // A legacy stream keeps its base configuration as its first element; the split moves it to base_config.json.
      const kept = before.filter((text) => !after.includes(text))
      assert.ok(
        kept.length <= 1 && kept.every((text) => text === before[0] && text.includes('config_delta')),
        `${name} lost ${kept.length}`,
      )
      for (const [path, stamp] of stampsOf(root)) {
        if (path.startsWith(join(file, '..'))) continue
        assert.deepEqual(stamp, others.get(path), path)
      }
      assert.match((await jp('c', 'show', id, '-F', 'json')).stdout, new RegExp(`"last_root":\\{"path":"${root}"`))
    }
  })
})
