import assert from 'node:assert/strict'
import {spawnSync} from 'node:child_process'
import {chmodSync, cpSync, readFileSync, statSync, symlinkSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {launcher, type Run, runJp, sharedFolder} from '../support/jp.js'
import {createScratch, listing, type Scratch} from '../support/scratch.js'

describe('jp config', () => {
  let scratch: Scratch
  let root: string
  beforeEach(() => {
    scratch = createScratch()
    root = scratch.checkout('app', 'a1b2c')
  })
  afterEach(() => scratch.remove())

  const jp = (args: readonly string[], cwd = root, env: Readonly<Record<string, string>> = {}): Promise<Run> =>
    runJp(args, {cwd, env: {...scratch.env, ...env}})
  const read = (name: string): string => readFileSync(join(scratch.path, name), 'utf8')

  it('W15: config set and unset edit the file and keep its comments', async () => {
    scratch.write('app/.jp/config.toml', '# mine\n[assistant] # who\nname = "Ann" # me\n\n[style.code]\ncolor = true\n')
    const set = await jp(['config', 'set', 'assistant.tool_choice=none', 'style.code.color=false'])
    assert.deepEqual(set, {code: 0, stdout: `Changed ${root}/.jp/config.toml\n`, stderr: ''})
    assert.equal(
      read('app/.jp/config.toml'),
      '# mine\n[assistant] # who\nname = "Ann" # me\ntool_choice = "none"\n\n[style.code]\ncolor = false\n',
    )
    assert.equal((await jp(['config', 'unset', 'assistant.tool_choice'])).code, 0)
    assert.equal(
      read('app/.jp/config.toml'),
      '# mine\n[assistant] # who\nname = "Ann" # me\n\n[style.code]\ncolor = false\n',
    )
    const again = await jp(['config', 'set', 'style.code.color=false'])
    assert.equal(again.stdout, `${root}/.jp/config.toml says so already\n`)
  })

  it('W15: every format is edited in its own way, comments of YAML included', async () => {
    scratch.write('app/.jp/config.yaml', '# mine\nassistant:\n  name: Ann # me\n')
    await jp(['config', 'set', 'assistant.tool_choice=none'])
    assert.equal(read('app/.jp/config.yaml'), '# mine\nassistant:\n  name: Ann # me\n  tool_choice: none\n')
    scratch.write('app/src/.jp.json', '{\n    "assistant": {"name": "Ann"}\n}\n')
    await jp(['config', 'set', '--cwd', 'user.name=Bob'], join(root, 'src'))
    assert.equal(
      read('app/src/.jp.json'),
      '{\n    "assistant": {\n        "name": "Ann"\n    },\n    "user": {\n        "name": "Bob"\n    }\n}\n',
    )
    scratch.write('home/.config/jp/config.json5', '{\n  user: {name: "Ann"}, // me\n}\n')
    const refused = await jp(['config', 'set', '--user-global', 'user.name=Bob'])
    assert.equal(refused.code, 2)
    assert.equal(
      refused.stderr,
      `Error: ${scratch.home}/.config/jp/config.json5 can't be edited without losing something of it.\n  Change it by hand:\n    user.name = "Bob"\n`,
    )
    assert.equal(read('home/.config/jp/config.json5'), '{\n  user: {name: "Ann"}, // me\n}\n')
  })

  it('W15: config set writes the file that its flag names, and makes it when it is not there', async () => {
    const outside = scratch.folder('outside')
    assert.equal((await jp(['config', 'set', '--user-global', 'user.name=Ann'], outside)).code, 0)
    assert.equal(read('home/.config/jp/config.toml'), '[user]\nname = "Ann"\n')
    assert.equal((await jp(['config', 'set', '--user-global', 'user.name', 'Bob'], outside)).code, 0)
    assert.equal(read('home/.config/jp/config.toml'), '[user]\nname = "Bob"\n')
    assert.equal((await jp(['config', 'set', '--user-workspace', 'plugins.command.x.run=allow'])).code, 0)
    const silo = join(scratch.data, 'workspace', 'app-a1b2c')
    assert.equal(readFileSync(join(silo, 'config.toml'), 'utf8'), '[plugins.command.x]\nrun = "allow"\n')
    assert.equal(statSync(silo).mode & 0o777, 0o700)
    const shown = await jp(['config', 'show', 'plugins.command.x.run'])
    assert.deepEqual(shown, {code: 0, stdout: 'allow\n', stderr: ''})
  })

  it('W10, W15: config commands work outside a workspace; setting a workspace key there says what to do', async () => {
    const outside = scratch.folder('outside')
    scratch.write('home/.config/jp/config.toml', 'assistant.name = "Ann"')
    assert.deepEqual(await jp(['config', 'show', 'assistant.name'], outside), {code: 0, stdout: 'Ann\n', stderr: ''})
    const set = await jp(['config', 'set', 'assistant.name=Bob'], outside)
    assert.equal(set.code, 3)
    assert.equal(
      set.stderr,
      'Error: There is no workspace here to configure.\n  Add --user-global to set it for all workspaces, or run "jp init" to make one here.\n',
    )
  })

  it('W16: config set refuses unknown keys, wrong values and dangerous keys, and writes nothing', async () => {
    const file = scratch.write('app/.jp/config.toml', 'user.name = "Ann"\n')
    const before = listing(root)
    const runs = [
      [
        ['assistant.nme=x'],
        'Error: assistant.nme=x: there is no configuration key assistant.nme.\n  Did you mean assistant.name?\n',
      ],
      [['style.code.color=maybe'], 'Error: style.code.color=maybe: style.code.color takes true or false.\n'],
      [
        ['__proto__.run=x'],
        'Error: "__proto__.run" holds the key "__proto__", which is never a configuration key.\n  Remove it.\n',
      ],
      [['nonsense'], 'Error: "nonsense" sets no key.\n  Write KEY=VALUE, or KEY:=JSON.\n'],
    ] as const
    for (const [args, stderr] of runs)
      assert.deepEqual(await jp(['config', 'set', ...args]), {code: 2, stdout: '', stderr})
    assert.deepEqual(listing(root), before)
    assert.equal(readFileSync(file, 'utf8'), 'user.name = "Ann"\n')
  })

  it('facts 8.2: config fmt sets white space right, keeps comments and values, and with --check only tells', async () => {
    const text = '# top\r\nassistant.name="x"   \r\n\r\n\r\n# about\r\n[style.code]\r\n  color=true # why\r\n'
    const file = scratch.write('app/.jp.toml', text)
    scratch.write('app/.jp/config.toml', '[user]\nname = """\n a  \n\n\n b"""\n[style]\ncode.color=false\n\n\n')
    scratch.write('home/.config/jp/config.yaml', 'user:\n    name:   Ann # me\n')
    const check = await jp(['config', 'fmt', '--all', '--check', '--format', 'json'])
    assert.deepEqual(
      [JSON.parse(check.stdout), check.code],
      [
        [
          {file: join(scratch.home, '.config/jp/config.yaml'), changed: true},
          {file: join(root, '.jp/config.toml'), changed: true},
          {file, changed: true},
        ],
        1,
      ],
    )
    assert.equal(readFileSync(file, 'utf8'), text)
    assert.deepEqual((await jp(['config', 'fmt'])).stdout, `Formatted: ${join(root, '.jp/config.toml')}\n`)
    assert.equal(read('app/.jp/config.toml'), '[user]\nname = """\n a  \n\n\n b"""\n\n[style]\ncode.color = false\n')
    assert.equal((await jp(['config', 'fmt', '--all'])).code, 0)
    assert.equal(
      readFileSync(file, 'utf8'),
      '# top\r\nassistant.name = "x"\r\n\r\n# about\r\n[style.code]\r\ncolor = true # why\r\n',
    )
    assert.equal(read('home/.config/jp/config.yaml'), 'user:\n  name: Ann # me\n')
    assert.equal((await jp(['config', 'fmt', '--all', '--check'])).code, 0)
  })

  it('W15: config set from several processes at once loses no key', async () => {
    const keys = ['assistant.name', 'assistant.tool_choice', 'user.name', 'style.markdown.theme']
    const runs = await Promise.all(keys.map((key) => jp(['config', 'set', '--user-global', `${key}=${key}`])))
    assert.deepEqual(
      runs.map(({code, stderr}) => [code, stderr]),
      keys.map(() => [0, '']),
    )
    for (const key of keys) assert.equal((await jp(['config', 'show', key])).stdout, `${key}\n`)
  })

  it('W15: config set follows a link to a file of the user, and none out of a checkout', async () => {
    const dotfile = scratch.write('dotfiles/jp.toml', '# mine\n')
    scratch.folder('home/.config/jp')
    symlinkSync(dotfile, join(scratch.home, '.config/jp/config.toml'))
    assert.equal((await jp(['config', 'set', '--user-global', 'user.name=Ann'])).code, 0)
    assert.equal(readFileSync(dotfile, 'utf8'), '# mine\n\n[user]\nname = "Ann"\n')
    symlinkSync(dotfile, join(root, '.jp/config.toml'))
    const refused = await jp(['config', 'set', 'user.name=Bob'])
    assert.equal(refused.code, 5)
    assert.equal(readFileSync(dotfile, 'utf8'), '# mine\n\n[user]\nname = "Ann"\n')
  })

  it('W15, Q3: config show prints values, and with --explain the layer and file:line of each', async () => {
    scratch.write('app/.jp/config.toml', '[assistant]\nname = "Ann"\nmodel.id = "echo/echo"\n')
    const json = await jp(['config', 'show', 'assistant.model', '--format', 'json'])
    assert.deepEqual(JSON.parse(json.stdout), {id: {provider: 'echo', name: 'echo'}})
    const explained = await jp(
      ['config', 'show', 'assistant', '--explain', '--format', 'json', '-c', 'assistant.tool_choice=none'],
      root,
      {
        JP_CFG_ASSISTANT_REQUEST_MAX_RETRIES: '2',
      },
    )
    const {values, ignored, notices} = JSON.parse(explained.stdout)
    assert.deepEqual([ignored, notices], [[], []])
    const file = join(root, '.jp', 'config.toml')
    const sources = Object.fromEntries(
      values.map(({path, sources: from}: {path: string; sources: unknown}) => [path, from]),
    )
    assert.deepEqual(sources['assistant.name'], [{layer: 'workspace', where: `${file}:2`}])
    assert.deepEqual(sources['assistant.model.id.provider'], [{layer: 'workspace', where: `${file}:3`}])
    assert.deepEqual(sources['assistant.tool_choice'], [
      {layer: 'command-line', where: '--cfg assistant.tool_choice=none'},
    ])
    assert.deepEqual(sources['assistant.request.max_retries'], [
      {layer: 'environment', where: 'JP_CFG_ASSISTANT_REQUEST_MAX_RETRIES'},
    ])
    assert.deepEqual(sources['assistant.request.cache'], [{layer: 'default'}])
  })

  it('W15, W33: values that are named like secrets, and passwords in addresses, are redacted', async () => {
    scratch.write(
      'home/.config/jp/config.toml',
      'serve.env.GITHUB_TOKEN = "t0ps3cret"\nplugins.command.x.options = {api_key = "k3y", url = "https://me:pass@example.invalid/"}\nproviders.llm.openai.api_key_env = "MY_KEY"\n',
    )
    for (const args of [
      ['config', 'show'],
      ['config', 'show', '--explain'],
      ['config', 'show', '--format', 'json'],
    ]) {
      const {stdout} = await jp(args)
      assert.doesNotMatch(stdout, /t0ps3cret|k3y|:pass@/)
      assert.match(stdout, /MY_KEY/)
    }
    assert.equal((await jp(['config', 'show', 'serve.env.GITHUB_TOKEN'])).stdout, '[redacted]\n')
  })

  it('W16: a malformed file ends config show with 1, naming file, line and column; no layer is used instead', async () => {
    scratch.write('app/.jp/config.toml', 'plugins.command.x.run = "deny"\nx = = 1\n')
    const run = await jp(['config', 'show', 'plugins.command.x.run'])
    assert.equal(run.code, 1)
    assert.equal(run.stdout, '')
    assert.match(run.stderr, new RegExp(`^Error: ${root}/.jp/config.toml:2:5: `))
  })

  it('W8, W16: a listing ends with 1 for a malformed file too; --no-cfg runs without any', async () => {
    const file = scratch.write('app/.jp/config.toml', 'x = = 1\n')
    const {code, stdout, stderr} = await jp(['c', 'ls'])
    assert.deepEqual([code, stdout], [1, ''])
    assert.ok(stderr.startsWith(`Error: ${file}:1:5: `), stderr)
    assert.equal((await jp(['c', 'ls', '--no-cfg'])).code, 0)
    assert.equal((await jp(['config', 'show', 'user', '--no-cfg'])).code, 0)
    assert.equal((await jp(['w', 'ls'])).code, 0)
  })

  it('FR-11: a layer that can not be read ends with 1 and names the file; no other layer is used instead', async () => {
    const file = scratch.write('app/.jp/config.toml', 'plugins.command.x.run = "deny"\n')
    scratch.write('home/.config/jp/config.toml', 'plugins.command.x.run = "allow"\n')
    chmodSync(file, 0)
    chmodSync(scratch.path, 0o755)
    // Root reads every file: the run is another user's then.
    const asOther = process.getuid?.() === 0 ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : []
    const [program, ...args] = [...asOther, process.execPath, launcher, 'config', 'show', 'plugins']
    const run = spawnSync(program, args, {cwd: root, env: {...scratch.env}, encoding: 'utf8'})
    assert.deepEqual([run.status, run.stdout, run.stderr], [1, '', `Error: Can't read ${file}: permission denied.\n`])
  })

  it('W16: an unknown key suggests the nearest; W14: config schema is JSON Schema', async () => {
    const run = await jp(['config', 'show', 'assistant.modl'])
    assert.deepEqual(run, {
      code: 2,
      stdout: '',
      stderr: 'Error: There is no configuration key assistant.modl.\n  Did you mean assistant.model?\n',
    })
    const schema = JSON.parse((await jp(['config', 'schema'])).stdout)
    assert.equal(schema.$schema, 'https://json-schema.org/draft/2020-12/schema')
    assert.equal(schema.properties.style.properties.code.properties.color.type, 'boolean')
    assert.equal(schema.required, undefined)
    assert.equal(schema.additionalProperties, false)
  })

  it('S7: config show writes nothing anywhere', async () => {
    writeFileSync(join(root, '.jp/config.toml'), 'editor.cmd = "vim"\nassistant.name = "Ann"\n')
    const before = [listing(root), listing(scratch.home)]
    assert.equal((await jp(['config', 'show', '--explain'])).code, 0)
    const after = [listing(root), listing(scratch.home)].map((lines) =>
      lines.filter((line) => !line.includes('/.cache')),
    )
    assert.deepEqual(after, before)
  })

  it('W13, W15: a real tree of configuration resolves, extends, globs, personas and all', async function () {
    const shared = sharedFolder()
    if (shared === undefined) return this.skip()
    const real = join(scratch.path, 'real')
    cpSync(join(shared, 'fixtures', 'real-workspace'), real, {recursive: true})
    const run = await jp(['config', 'show', '--explain', '--format', 'json', '-c', 'dev'], real)
    assert.equal(run.code, 0)
    const {values, ignored} = JSON.parse(run.stdout)
    const name = values.find(({path}: {path: string}) => path === 'assistant.name')
    assert.equal(name.value, 'Software Developer')
    const model = values.find(({path}: {path: string}) => path === 'assistant.model.id')
    assert.deepEqual(model.sources, [{layer: 'command-line', where: `${real}/.jp/config/personas/dev.toml:27`}])
    assert.ok(ignored.some(({path}: {path: string}) => path === 'conversation.tools.git_log.command'))
    assert.equal((await jp(['w', 'trust'], real)).code, 0)
    const trusted = JSON.parse(
      (await jp(['config', 'show', '--explain', '--format', 'json', '-c', 'dev'], real)).stdout,
    )
    assert.deepEqual(
      trusted.ignored.map(({path}: {path: string}) => path),
      ['plugins.command.ticket.run'],
    )
  })
})
