import assert from 'node:assert/strict'
import {copyFileSync, readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {repository, runJp} from '../support/jp.js'
import {writeConversation} from '../support/plant-conversation.js'
import {allowing, createPluginFolder, type PluginFolder} from '../support/plugins.js'
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
    for (const name of ['titles', 'path']) {
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

  it('P1, P2: the manifest of a package and the one in its file agree', () => {
    for (const name of ['titles', 'path']) {
      const folder = join(repository, 'plugins', name)
      const {
        workspace_scope: _,
        entry,
        ...stated
      } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).oclif.jp
      const line = readFileSync(join(folder, entry), 'utf8').match(/jp-plugin\/v1 (.*)/)?.[1] ?? ''
      assert.deepEqual(JSON.parse(line), stated)
    }
  })
})
