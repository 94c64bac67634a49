import assert from 'node:assert/strict'
import {runJp} from '../support/jp.js'
import {allowing, createPluginFolder, type PluginFolder} from '../support/plugins.js'
import {createScratch, type Scratch} from '../support/scratch.js'

describe('the help of a plugin', () => {
  let scratch: Scratch
  let plugins: PluginFolder
  let root: string
  beforeEach(() => {
    scratch = createScratch()
    plugins = createPluginFolder(scratch)
    root = scratch.checkout('work', 'abcde')
  })
  afterEach(() => scratch.remove())

  const jp = (...args: string[]) => runJp(args, {cwd: root, env: plugins.env})
  const answering = (manifest: object, more: object = {}) => {
    const answer = {
      type: 'describe',
      name: 'notes',
      version: '1',
      help: 'Notes.\n\njp notes add TEXT\u001b[2J\n',
      ...manifest,
      ...more,
    }
    return `read -r line; case $line in *describe*) printf '%s\\n' '${JSON.stringify(answer)}';; *) echo '{"type":"exit","code":9}';; esac`
  }
  const manifest = {protocol: 1, description: 'Take notes', command: ['notes']}

  it('P10, S3: "jp help notes" and "jp --help notes" admit it, ask it to describe itself, and print its help', async () => {
    plugins.addShell('jp-notes', manifest, answering(manifest))
    assert.equal((await jp('help', 'notes')).code, 5)
    for (const args of [
      ['help', 'notes'],
      ['--help', 'notes'],
      ['-h', 'notes', 'add'],
    ]) {
      const run = await jp(...allowing('notes'), ...args)
      assert.deepEqual(run, {code: 0, stdout: 'Notes.\n\njp notes add TEXT\n', stderr: ''}, args.join(' '))
    }
    assert.equal((await jp(...allowing('notes'), 'notes', '--help')).code, 9)
  })

  it('P6: the help of a plugin below a built-in group', async () => {
    const tree = {...manifest, command: ['workspace', 'tree']}
    plugins.addShell('jp-tree', tree, answering(tree))
    assert.match((await jp(...allowing('tree'), 'help', 'w', 'tree')).stdout, /^Notes\./)
  })

  for (const [what, more] of [
    ['scope', {protocol: 1, workspace_scope: 'single', description: 'Other'}],
    ['command', {command: ['notes', 'x']}],
    ['protocol', {protocol: 2}],
  ] as const) {
    it(`S3: a description whose ${what} differs from the manifest is an error that names the plugin`, async () => {
      plugins.addShell('jp-notes', manifest, answering(manifest, more))
      const run = await jp(...allowing('notes'), 'help', 'notes')
      assert.equal(run.code, 7)
      assert.match(run.stderr, /^Error: The plugin "notes" describes itself as \{.*\}, its manifest as \{.*\}\.\n/)
    })
  }
})
