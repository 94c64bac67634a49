import assert from 'node:assert/strict'
import {createHash} from 'node:crypto'
import {appendFileSync, copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {type Run, runJp} from '../support/jp.js'
import {createPluginFolder, type PluginFolder} from '../support/plugins.js'
import {startOnTerminal} from '../support/pty.js'
import {createScratch, type Scratch} from '../support/scratch.js'

describe('admitting a plugin', () => {
  let scratch: Scratch
  let plugins: PluginFolder
  let root: string
  let path: string
  beforeEach(() => {
    scratch = createScratch()
    plugins = createPluginFolder(scratch)
    root = scratch.checkout('work', 'abcde')
    path = plugins.addShell(
      'jp-notes',
      {command: ['notes'], description: 'Take notes'},
      'read -r init; touch "$MARK"; printf \'{"type":"print","text":"ran\\\\n"}\\n{"type":"exit","code":0}\\n\'',
    )
  })
  afterEach(() => scratch.remove())

  const mark = () => join(scratch.path, 'it-ran')
  const env = () => ({...plugins.env, MARK: mark()})
  const jp = (...args: string[]): Promise<Run> => runJp(args, {cwd: root, env: env()})
  const ran = {code: 0, stdout: 'ran\n', stderr: ''}
  const sha256 = (file = path) => createHash('sha256').update(readFileSync(file)).digest('hex')
  const userConfig = (text: string) => scratch.write('home/.config/jp/config.toml', text)
  const workspaceConfig = (text: string) => scratch.write('work/.jp/config.toml', text)
  const refused = async (run: Promise<Run>, message: RegExp, code = 5): Promise<void> => {
    const {stderr, stdout, code: got} = await run
    assert.match(stderr, message)
    assert.deepEqual([got, stdout, existsSync(mark())], [code, '', false])
  }
  const onTerminal = (...args: string[]) => startOnTerminal(args, {cwd: root, env: env(), columns: 200})

  it('P10: without a terminal: refused with exit 5 and the command that approves; approved, it runs; changed, it is refused again', async () => {
    const command = `Have a look at it, then run: jp plugins approve ${path}`
    const first = await jp('notes')
    assert.deepEqual([first.code, first.stdout], [5, ''])
    assert.equal(first.stderr, `Error: The plugin "notes" at ${path} was never approved.\n  ${command}\n`)
    assert.equal(existsSync(mark()), false)
    await jp('plugins', 'approve', path)
    assert.deepEqual(await jp('notes'), ran)
    appendFileSync(path, '#')
    const changed = await jp('notes')
    assert.equal(changed.stderr, `Error: The plugin "notes" at ${path} changed since it was approved.\n  ${command}\n`)
    assert.equal(changed.code, 5)
  })

  it('P10, P11: on a terminal it is asked about with all that is approved; y runs it once, n does not, Y remembers', async () => {
    const no = onTerminal('notes')
    await no.waitFor('Run the plugin "notes"?')
    for (const text of ['jp notes', 'Take notes', 'single', path, sha256(), 'It was never approved.']) {
      assert.ok(no.received.includes(text), text)
    }
    no.type('n')
    assert.equal(await no.exited, 5)
    assert.equal(existsSync(mark()), false)

    const once = onTerminal('notes')
    await once.waitFor('Run the plugin "notes"?')
    once.type('y')
    await once.waitFor('ran')
    assert.equal(await once.exited, 0)
    assert.equal((await jp('notes')).code, 5)

    const always = onTerminal('notes')
    await always.waitFor('Run the plugin "notes"?')
    always.type('Y')
    assert.equal(await always.exited, 0)
    assert.deepEqual(await jp('notes'), ran)

    appendFileSync(path, '#')
    const changed = onTerminal('notes')
    await changed.waitFor('Run the plugin "notes"?')
    assert.ok(changed.received.includes('It changed since it was approved.'))
    changed.type('\r')
    assert.equal(await changed.exited, 5)
  })

  it('P11: the prompt never prints control characters of the plugin, and shows bidirectional ones', async () => {
    plugins.addShell('jp-sly', {command: ['sly'], description: 'nice\u202eeman\nPath /bin/true\u200b'}, 'read -r init')
    const run = onTerminal('sly')
    await run.waitFor('Run the plugin "sly"?')
    assert.ok(run.received.includes('nice<U+202E>eman Path /bin/true<U+200B>'), run.received)
    run.type('n')
    assert.equal(await run.exited, 5)
  })

  it('P10: --non-interactive asks nothing on a terminal either', async () => {
    const run = onTerminal('--non-interactive', 'notes')
    await run.waitFor('jp plugins approve')
    assert.equal(await run.exited, 5)
  })

  it('P14: run = "allow" counts from user layers, the environment and --cfg', async () => {
    assert.deepEqual(await jp('--cfg', 'plugins.command.notes.run=allow', 'notes'), ran)
    const byVariable = {...env(), JP_CFG_PLUGINS_COMMAND: ':{"notes":{"run":"allow"}}'}
    assert.deepEqual(await runJp(['notes'], {cwd: root, env: byVariable}), ran)
    userConfig('plugins.command.notes.run = "allow"\n')
    assert.deepEqual(await jp('notes'), ran)
  })

  it('P14: run = "allow" never counts from a checkout, and one notice says so', async () => {
    workspaceConfig('plugins.command.notes.run = "allow"\n')
    const run = await jp('notes')
    assert.equal(run.code, 5)
    assert.equal(existsSync(mark()), false)
    assert.equal(run.stderr.match(/Warning: /g)?.length, 1, run.stderr)
    assert.match(run.stderr, /plugins\.command\.notes\.run/)
  })

  it('P14: a workspace can deny what the user allows or approved', async () => {
    await jp('plugins', 'approve', path)
    userConfig('plugins.command.notes.run = "allow"\n')
    workspaceConfig('plugins.command.notes.run = "deny"\n')
    await refused(
      jp('notes'),
      /The plugin "notes" is denied by the configuration: plugins\.command\.notes\.run is "deny"\./,
    )
  })

  it('P14, FR-11: a configuration that can’t be read is an error, never the other layers', async () => {
    await jp('plugins', 'approve', path)
    workspaceConfig('plugins.command.notes.run = "deny"\nx = = 1\n')
    await refused(jp('notes'), /\.jp\/config\.toml:2/, 1)
  })

  it('P10: a pinned checksum must match, allowed or approved', async () => {
    await jp('plugins', 'approve', path)
    userConfig(`[plugins.command.notes]\nrun = "allow"\nchecksum = {algorithm = "sha256", value = "${sha256()}"}\n`)
    assert.deepEqual(await jp('notes'), ran)
    const pinned = sha256()
    appendFileSync(path, '#')
    await jp('plugins', 'approve', path)
    writeFileSync(mark(), '')
    const run = await jp('notes')
    assert.equal(run.code, 5)
    assert.match(
      run.stderr,
      new RegExp(
        `has sha256 ${sha256()}, the configuration wants ${pinned}\\.\n {2}If you trust the new file: jp plugins pin notes\n`,
      ),
    )
  })

  it('P10, P15: "plugins pin" writes the pin; other bytes are refused until it is pinned anew', async () => {
    await jp('plugins', 'approve', path)
    userConfig('# mine\nassistant.name = "Ada"\n')
    const pinned = await jp('plugins', 'pin', 'notes')
    const file = join(scratch.home, '.config', 'jp', 'config.toml')
    assert.deepEqual(pinned, {code: 0, stdout: `Pinned notes in ${file}: ${path}, sha256 ${sha256()}.\n`, stderr: ''})
    assert.match(readFileSync(file, 'utf8'), /^# mine\nassistant\.name = "Ada"\n/)
    assert.deepEqual(await jp('notes'), ran)
    appendFileSync(path, '#')
    await jp('plugins', 'approve', path)
    assert.equal((await jp('notes')).code, 5)
    await jp('plugins', 'pin', path)
    assert.deepEqual(await jp('notes'), ran)
  })

  it('P15: "plugins inspect" shows one plugin and runs nothing; the shape is a contract (Q3)', async () => {
    const inspected = await jp('plugins', 'inspect', 'notes', '--format', 'json')
    assert.deepEqual(JSON.parse(inspected.stdout), {
      name: 'notes',
      command: ['notes'],
      scope: 'single',
      protocol: 1,
      description: 'Take notes',
      source: 'executable',
      package: null,
      version: null,
      path,
      approval: 'none',
      problem: null,
      sha256: sha256(),
      integrity: null,
      hosted: null,
      deps: null,
    })
    assert.equal((await jp('plugins', 'inspect', 'nothing')).code, 3)
    assert.equal(existsSync(mark()), false)
  })

  it('FR-38: the approved bytes at another path ask again', async () => {
    await jp('plugins', 'approve', path)
    mkdirSync(join(scratch.path, 'evil'))
    const copy = join(scratch.path, 'evil', 'jp-notes')
    copyFileSync(path, copy)
    const evilFirst = {...env(), PATH: `${join(scratch.path, 'evil')}:${scratch.env['PATH']}`}
    const alone = await runJp(['notes'], {cwd: root, env: evilFirst})
    assert.equal(alone.code, 5)
    assert.match(alone.stderr, new RegExp(`at ${copy} was approved at ${path}\\.`))
    const both = await runJp(['notes'], {
      cwd: root,
      env: {...env(), PATH: `${join(scratch.path, 'evil')}:${plugins.env['PATH']}`},
    })
    assert.equal(both.code, 4)
    assert.equal(both.stderr.split('\n')[0], `Error: "jp notes" is claimed by two plugins: ${copy} and ${path}.`)
    assert.equal(existsSync(mark()), false)
  })

  it('S4: a file without a manifest is refused unrun, naming the command that approves it; approved, it runs; changed, it is refused', async () => {
    const describe = JSON.stringify({
      type: 'describe',
      protocol: 1,
      description: 'Old',
      command: ['old'],
      name: 'old',
      version: '1',
      help: 'h',
    })
    const old = plugins.add(
      'jp-old',
      `#!/bin/sh\nread -r line\ncase "$line" in *describe*) printf '%s\\n' '${describe}';; *) touch "$MARK"; printf '%s\\n' '{"type":"print","text":"ran\\n"}'; echo '{"type":"exit","code":0}';; esac\n`,
    )
    await refused(
      jp('old'),
      new RegExp(
        `^Error: ${old} has no plugin manifest, and nobody approved it\\.\n {2}To ask it what it is and approve it: jp plugins approve ${old}\n$`,
      ),
    )
    await jp('plugins', 'approve', old)
    assert.deepEqual(await jp('old'), ran)
    appendFileSync(old, '#')
    writeFileSync(mark(), 'before')
    assert.equal((await jp('old')).code, 5)
    assert.equal(readFileSync(mark(), 'utf8'), 'before')
  })

  for (const [what, manifest, message, code] of [
    [
      'an invalid manifest',
      {command: ['bad'], workspace_scope: 'both'},
      /jp-bad is invalid: "workspace_scope" must be "single" or "multi", not "both"\./,
      7,
    ],
    [
      'a later protocol',
      {command: ['bad'], protocol: 99, workspace_scope: 'single'},
      /The plugin "bad" needs protocol 99; this jp speaks \d+\./,
      5,
    ],
  ] as const) {
    it(`S1, S2, S5, FR-34: ${what} is refused before anything runs or is opened`, async () => {
      plugins.addShell('jp-bad', manifest, 'touch "$MARK"')
      await refused(jp('--cfg', 'plugins.command.bad.run=allow', 'bad'), message, code)
      assert.equal(existsSync(join(scratch.data, 'workspace')), false)
    })
  }

  it('P2: a marker of another version was built for another jp', async () => {
    plugins.add('jp-later', '#!/bin/sh\n# jp-plugin/v2 {"anything":true}\ntouch "$MARK"\n')
    await refused(jp('later'), /jp-later was built for another jp: its manifest is of version 2\./)
  })

  it('P12, FR-15: an unreadable approval store approves nothing, and says so', async () => {
    await jp('plugins', 'approve', path)
    const store = join(scratch.data, 'plugin-approvals.json')
    writeFileSync(store, 'torn')
    await refused(
      jp('notes'),
      /^Warning: The approval store is unreadable and approves nothing\.[^]*was never approved\./,
    )
    assert.equal(readFileSync(store, 'utf8'), 'torn')
  })

  it('FR-39: a plugin can’t take over a built-in command, nor hide behind an alias of one', async () => {
    plugins.addShell('jp-plugins', {command: ['plugins', 'list']}, 'touch "$MARK"')
    plugins.addShell('jp-w', {command: ['w', 'ls']}, 'touch "$MARK"')
    assert.equal((await jp('plugins', 'list')).code, 0)
    assert.equal((await jp('w', 'ls')).code, 0)
    assert.equal(existsSync(mark()), false)
  })
})
