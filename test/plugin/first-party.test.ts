import assert from 'node:assert/strict'
import {appendFileSync, copyFileSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {repository, runJp} from '../support/jp.js'
import {writeConversation} from '../support/plant-conversation.js'
import {allowing, createPluginFolder, type PluginFolder} from '../support/plugins.js'
import {startOnTerminal} from '../support/pty.js'
import {createScratch, type Scratch} from '../support/scratch.js'

const chat = {timestamp: '2026-09-01 08:00:00.0', type: 'chat_request', content: 'hi'}

describe('first-party plugins', () => {
  let scratch: Scratch
  let plugins: PluginFolder
  let root: string
  let silo: string
  beforeEach(() => {
    scratch = createScratch()
    plugins = createPluginFolder(scratch)
    root = scratch.checkout('work', 'abcde')
    silo = join(scratch.data, 'workspace', 'work-abcde')
    for (const name of ['titles', 'path', 'checkouts']) {
      copyFileSync(join(repository, 'plugins', name, `jp-${name}`), join(plugins.path, `jp-${name}`))
    }
  })
  afterEach(() => scratch.remove())

  const jp = (...args: string[]) =>
    runJp([...allowing('titles'), ...allowing('path'), ...args], {cwd: root, env: plugins.env})

  it('P24: titles, a shell script: lists titles and sets one', async () => {
    assert.deepEqual(await jp('titles'), {code: 0, stdout: 'There are no conversations yet.\n', stderr: ''})
    writeConversation(silo, '17567136000', {metadata: {title: 'It\'s "quoted" $HOME `x` 🟢'}, events: [chat]})
    writeConversation(silo, '17567136001', {events: [chat]})
    assert.equal(
      (await jp('titles')).stdout,
      'jp-c17567136000  It\'s "quoted" $HOME `x` 🟢\njp-c17567136001  (no title)\n',
    )
    assert.deepEqual(await jp('titles', '17567136001', 'A', "new one's", '$(touch x)'), {
      code: 0,
      stdout: '',
      stderr: '',
    })
    assert.deepEqual(JSON.parse((await jp('--format', 'json', 'titles')).stdout), [
      {id: 'jp-c17567136000', title: 'It\'s "quoted" $HOME `x` 🟢'},
      {id: 'jp-c17567136001', title: "A new one's $(touch x)"},
    ])
    assert.equal((await jp('titles', 'jp-c17567136001', '--clear')).code, 0)
    assert.deepEqual(readdirSync(join(silo, 'conversations')), ['17567136000', '17567136001'])
  })

  it('P10, P11, P12, P14, P24: titles, dropped on $PATH: refused, asked about, approved, runs; changed by a byte, asked about again', async () => {
    const path = join(plugins.path, 'jp-titles')
    const jp = (...args: string[]) => runJp(args, {cwd: root, env: plugins.env})
    const onTerminal = () => startOnTerminal(['titles'], {cwd: root, env: plugins.env, columns: 200})
    const ran = {code: 0, stdout: 'There are no conversations yet.\n', stderr: ''}
    const refusal = (why: string) => ({
      code: 5,
      stdout: '',
      stderr: `Error: The plugin "titles" at ${path} ${why}.\n  Have a look at it, then run: jp plugins approve ${path}\n`,
    })
    assert.deepEqual(await jp('titles'), refusal('was never approved'))
    const asked = onTerminal()
    await asked.waitFor('Run the plugin "titles"?')
    asked.type('Y')
    await asked.waitFor('There are no conversations yet.')
    assert.equal(await asked.exited, 0)
    assert.deepEqual(await jp('titles'), ran)

    appendFileSync(path, '#')
    assert.deepEqual(await jp('titles'), refusal('changed since it was approved'))
    const again = onTerminal()
    await again.waitFor('Run the plugin "titles"?')
    again.type('n')
    assert.equal(await again.exited, 5)
    assert.deepEqual((await jp('plugins', 'approve', 'titles')).code, 0)
    assert.deepEqual(await jp('titles'), ran)

    scratch.write('work/.jp/config.toml', 'plugins.command.titles.run = "deny"\n')
    const denied = await jp('titles')
    assert.deepEqual([denied.code, denied.stdout], [5, ''])
    assert.match(denied.stderr, /"titles" is denied by the configuration/)
    scratch.write('work/.jp/config.toml', 'plugins.command.titles.run = "allow"\n')
    appendFileSync(path, '#')
    const unmoved = await jp('titles')
    assert.deepEqual([unmoved.code, unmoved.stdout], [5, ''])
    assert.match(unmoved.stderr, /Warning: .*plugins\.command\.titles\.run[^]*changed since it was approved/)
  })

  it('P24: titles tells what is wrong, and how it is used', async () => {
    assert.match((await jp('titles', '--help')).stdout, /^jp titles {17}every conversation/)
    assert.deepEqual(await jp('titles', '--what'), {
      code: 2,
      stdout: '',
      stderr: 'Error: There is no flag --what. See: jp titles --help\n',
    })
    assert.deepEqual(await jp('titles', '17567136000'), {
      code: 2,
      stdout: '',
      stderr: 'Error: Say which title: jp titles ID WORDS...\n',
    })
    const unknown = await jp('titles', 'jp-c1', 'x')
    assert.equal(unknown.code, 1)
    assert.match(unknown.stderr, /^Error: There is no conversation jp-c1/)
  })

  it('P24: path prints the folders of jp', async () => {
    for (const [args, line] of [
      [['workspace'], root],
      [['user-workspace'], silo],
      [['user-local'], scratch.data],
      [['user-local', '--plugins=command'], join(scratch.data, 'plugins', 'command')],
      [['user-config'], join(scratch.home, '.config', 'jp')],
    ] as const) {
      assert.deepEqual(await jp('path', ...args), {code: 0, stdout: `${line}\n`, stderr: ''})
    }
    assert.equal((await jp('-F', 'json', 'path', 'workspace')).stdout, `${JSON.stringify(root)}\n`)
    for (const args of [[], ['nothing'], ['constructor'], ['workspace', '--plugins=command']]) {
      assert.equal((await jp('path', ...args)).code, 2, args.join(' '))
    }
  })

  it('P24, S17, S26: checkouts shows every workspace, its checkouts, and where conversations last ran, live or gone', async () => {
    const outside = {cwd: scratch.folder('outside'), env: plugins.env}
    const checkouts = (...args: string[]) => runJp([...allowing('checkouts'), 'checkouts', ...args], outside)
    assert.deepEqual(await checkouts(), {code: 0, stdout: 'There are no workspaces yet.\n', stderr: ''})
    const other = scratch.checkout('other', 'abcde')
    for (const cwd of [root, other]) await runJp([...allowing('path'), 'path', 'workspace'], {cwd, env: plugins.env})
    const ran = (id: string, title: string, path: string | undefined) => {
      const folder = writeConversation(silo, id, {metadata: {title}, events: [chat]})
      if (path === undefined) return
      writeFileSync(
        join(folder, 'metadata.local.json'),
        JSON.stringify({last_root: {path, last_used: '2026-09-01T08:00:00Z'}}),
      )
    }
    ran('17567136000', 'Here', root)
    ran('17567136001', 'Gone', '/gone')
    ran('17567136002', 'Never', undefined)
    writeConversation(join(other, '.jp'), '17567136003', {metadata: {title: 'Of the other alone'}, events: [chat]})
    const text = (await checkouts('work')).stdout
    assert.deepEqual(
      text.split('\n').sort(),
      [
        '',
        '    jp-c17567136000  Here',
        '    jp-c17567136001  Gone',
        '    jp-c17567136002  Never',
        '    jp-c17567136003  Of the other alone',
        '  (never ran here)',
        '  /gone (gone)',
        '  abcde  work',
        `  ${other}`,
        `  ${root}`,
      ].sort(),
    )
    const json = await runJp([...allowing('checkouts'), '--format', 'json', '-w', root, 'checkouts'], outside)
    const [workspace] = JSON.parse(json.stdout)
    assert.deepEqual([workspace.id, workspace.launch, workspace.roots.length], ['abcde', true, 2])
    assert.ok(workspace.conversations[3].seen_in.includes(other))
    assert.deepEqual(await checkouts('nothing'), {
      code: 3,
      stdout: '',
      stderr: 'Error: There is no workspace "nothing".\n',
    })
  })

  it('Q10: the plugins of the how-to page do what it says', async () => {
    const page = readFileSync(join(repository, 'docs', 'how-to', 'plugins.md'), 'utf8')
    for (const [, script = ''] of page.matchAll(/^```sh\n(#![\s\S]*?)^```$/gm)) {
      plugins.add(`jp-${/"command": \["(\w+)"\]/.exec(script)?.[1]}`, script)
    }
    writeConversation(silo, '17567136000', {events: [chat]})
    const counted = await runJp([...allowing('count'), 'count'], {cwd: root, env: plugins.env})
    assert.deepEqual(counted, {code: 0, stdout: '1\n', stderr: ''})
    const spaced = scratch.checkout('with space', 'bbbbb')
    await runJp([...allowing('count'), 'count'], {cwd: spaced, env: plugins.env})
    const all = await runJp([...allowing('everywhere'), 'everywhere'], {
      cwd: scratch.folder('outside'),
      env: plugins.env,
    })
    assert.deepEqual(
      [all.code, all.stderr, all.stdout.split('\n').sort()],
      [0, '', ['', `${spaced}: 0`, `${root}: 1`].sort()],
    )
  })

  it('P24, S3: each describes itself, and as its manifest does', async () => {
    for (const name of ['titles', 'path', 'checkouts']) {
      const run = await runJp([...allowing(name), 'help', name], {cwd: root, env: plugins.env})
      assert.deepEqual([run.code, run.stderr], [0, ''])
      assert.match(run.stdout, new RegExp(`^jp ${name} [\\s\\S]*[^\\n]\\n$`))
      assert.equal((await runJp([...allowing(name), name, '--help'], {cwd: root, env: plugins.env})).stdout, run.stdout)
    }
  })

  it('P1, P2: the manifest of a package and the one in its file agree', () => {
    for (const name of ['titles', 'path', 'checkouts']) {
      const folder = join(repository, 'plugins', name)
      const {entry, ...stated} = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).oclif.jp
      const line = readFileSync(join(folder, entry), 'utf8').match(/jp-plugin\/v1 (.*)/)?.[1] ?? ''
      assert.deepEqual({workspace_scope: 'single', ...JSON.parse(line)}, stated)
    }
  })
})
