import assert from 'node:assert/strict'
import {join} from 'node:path'
import {cfgForAnyCwd, parseCfg} from '../../../src/config/assign.js'
import {environmentAssignments} from '../../../src/config/environment.js'
import {schema} from '../../../src/config/schema-outline.js'
import {type ConfigScratch, createConfigScratch} from '../../support/config.js'

describe('config/assign', () => {
  let at: ConfigScratch
  beforeEach(() => {
    at = createConfigScratch()
  })
  afterEach(() => at.remove())

  it('W13: for a process with another cwd, an argument names the files of this one by their whole paths', () => {
    at.write('here/dev.toml', '')
    const cwd = join(at.path, 'here')
    assert.equal(cfgForAnyCwd('@sub/x.toml', cwd), `@${cwd}/sub/x.toml`)
    assert.equal(cfgForAnyCwd('@/etc/x.toml', cwd), '@/etc/x.toml')
    assert.equal(cfgForAnyCwd('dev.toml', cwd), `@${cwd}/dev.toml`)
    for (const argument of ['dev', 'user.name=me', 'user.name:="me"', '{"user": {}}', 'NONE', 'WORKSPACE']) {
      assert.equal(cfgForAnyCwd(argument, cwd), argument)
    }
    assert.throws(() => cfgForAnyCwd('user.name:=me', cwd), {code: 'config_value_invalid'})
  })

  it('W13: --cfg is taken apart by its form', () => {
    assert.deepEqual(parseCfg('@a/b.toml'), {kind: 'file', path: 'a/b.toml'})
    assert.deepEqual(parseCfg('{"user": {"name": "x"}}'), {kind: 'object', value: {user: {name: 'x'}}})
    assert.deepEqual(parseCfg('dev'), {kind: 'name', name: 'dev'})
    assert.deepEqual(parseCfg('NONE'), {kind: 'reset', to: 'NONE'})
    assert.deepEqual(parseCfg('none'), {kind: 'name', name: 'none'})
    const of = (text: string): unknown => {
      const {kind: _, ...rest} = parseCfg(text)
      return rest
    }
    assert.deepEqual(of('a.b=c=d'), {path: ['a', 'b'], how: 'set', value: {text: 'c=d'}})
    assert.deepEqual(of('a.b:={"x": 1}'), {path: ['a', 'b'], how: 'set', value: {json: {x: 1}}})
    assert.deepEqual(of('a.b+=c'), {path: ['a', 'b'], how: 'add', value: {text: 'c'}})
    assert.deepEqual(of('a.b:+=[1]'), {path: ['a', 'b'], how: 'add', value: {json: [1]}})
    assert.deepEqual(of('a.\'x.y\'."z=w"='), {path: ['a', 'x.y', 'z=w'], how: 'set', value: {text: ''}})
    assert.deepEqual(of('conversation.tools.*.run=ask'), {
      path: ['conversation', 'tools', '*', 'run'],
      how: 'set',
      value: {text: 'ask'},
    })
  })

  it('W13, W16: what is no value is refused with what the key takes', async () => {
    const wrong: readonly (readonly [string, string, string | undefined])[] = [
      ['style.code.color=2', '--cfg style.code.color=2: style.code.color takes true or false.', undefined],
      ['style.code.color:=', 'style.code.color:=: nothing is no JSON.', undefined],
      [
        'assistant.request.max_retries=-1',
        '--cfg assistant.request.max_retries=-1: assistant.request.max_retries takes a whole number of at least 0.',
        undefined,
      ],
      ['style.code=x', '--cfg style.code=x: style.code takes a table.', 'Give JSON: style.code:={...}'],
      ['user.name+=x', '--cfg user.name+=x: nothing can be added to user.name.', 'It takes text. Use = to set it.'],
      ['[1]=2', '--cfg [1]=2: there is no configuration key "[1]".', undefined],
    ]
    for (const [cfg, message, hint] of wrong) {
      await assert.rejects(at.resolve({cfg: [cfg]}), (error: Error & {hint?: string}) => {
        assert.equal(error.message, message)
        if (hint !== undefined) assert.equal(error.hint, hint)
        return true
      })
    }
  })

  it('W13: text is read by the type of its key', async () => {
    const {config} = await at.resolve({
      cfg: [
        'style.code.color=false',
        'assistant.request.max_retries=2',
        'assistant.model.parameters.temperature=0.5',
        'assistant.model.id=echo/some/model',
        'conversation.tools.a.enable=explicit',
        'conversation.tools.a.style.inline_results=12',
        'style.typewriter.text_delay=2ms',
        'template.values.n=12',
        'user.name=true',
        'editor.envs=PAGER',
      ],
    })
    assert.deepEqual(
      {
        color: config.style.code.color,
        retries: config.assistant.request.max_retries,
        temperature: config.assistant.model.parameters?.temperature,
        model: config.assistant.model.id,
        enable: config.conversation.tools['a']?.enable,
        lines: config.conversation.tools['a']?.style?.inline_results,
        delay: config.style.typewriter.text_delay,
        free: config.template.values['n'],
        name: config.user.name,
        envs: config.editor.envs,
      },
      {
        color: false,
        retries: 2,
        temperature: 0.5,
        model: {provider: 'echo', name: 'some/model'},
        enable: {state: false, allow_toggle: 'if_named'},
        lines: 12,
        delay: '2ms',
        free: '12',
        name: 'true',
        envs: ['PAGER'],
      },
    )
  })

  it('W13: = and := replace, += and :+= add, null unsets', async () => {
    at.write('app/.jp/config.toml', 'conversation.attachments = ["a"]\n[providers.llm.aliases]\nx = "echo/x"\n')
    const attachments = async (...cfg: string[]): Promise<unknown> =>
      (await at.resolve({cfg})).config.conversation.attachments
    assert.deepEqual(await attachments('conversation.attachments+=b'), ['a', 'b'])
    assert.deepEqual(await attachments('conversation.attachments=b'), ['b'])
    assert.deepEqual(await attachments('conversation.attachments:+=["b", "a", "c"]'), ['a', 'b', 'c'])
    assert.deepEqual(await attachments('conversation.attachments:=[]'), [])
    assert.deepEqual(await attachments('conversation.attachments:=null'), [])
    const aliases = async (cfg: string): Promise<string[]> =>
      Object.keys((await at.resolve({cfg: [cfg]})).config.providers.llm.aliases)
    assert.deepEqual(await aliases('providers.llm.aliases:={"y": "echo/y"}'), ['y'])
    assert.deepEqual(await aliases('providers.llm.aliases:+={"y": "echo/y"}'), ['x', 'y'])
    const prompt = (await at.resolve({cfg: ['assistant.system_prompt=Hi.', 'assistant.system_prompt+= Go.']})).config
    assert.equal(prompt.assistant.system_prompt, 'Hi. Go.')
  })

  it('W13: NONE and WORKSPACE reset what came before', async () => {
    at.write('app/.jp/config.toml', 'assistant.name = "workspace"\n')
    const name = async (...cfg: string[]): Promise<string | undefined> =>
      (await at.resolve({cfg, conversation: {base: {assistant: {name: 'stored'}}, deltas: []}})).config.assistant.name
    assert.equal(await name(), 'stored')
    assert.equal(await name('NONE'), undefined)
    assert.equal(await name('assistant.name=flag', 'WORKSPACE'), 'workspace')
    assert.equal(await name('WORKSPACE', 'assistant.name=flag'), 'flag')
    assert.equal(await name('WORKSPACE', 'NONE'), undefined)
    assert.equal(await name('NONE', 'WORKSPACE'), 'workspace')
    at.write('app/.jp/config.toml', 'x = = 1\n')
    assert.equal(await name('NONE'), undefined)
  })

  it('W13: a name is looked up in every search root, and all hits count; nothing found says where', async () => {
    at.write('app/.jp/config.toml', 'config_load_paths = [".jp/personas"]\n')
    at.write('app/.jp/personas/dev.toml', 'assistant.name = "dev"\nuser.name = "from the checkout"\n')
    at.write('global/config/dev.yaml', 'assistant:\n  name: global\n  tool_choice: none\n')
    at.write('silo/config/dev.json', '{"user": {"name": "from the silo"}}')
    const {config} = await at.resolve({cfg: ['dev']})
    assert.deepEqual(
      [config.assistant.name, config.assistant.tool_choice, config.user.name],
      ['dev', 'none', 'from the silo'],
    )
    await assert.rejects(at.resolve({cfg: ['nobody']}), (error: Error & {code?: string; hint?: string}) => {
      assert.equal(error.code, 'file_not_found')
      assert.match(error.hint ?? '', new RegExp(`^Looked in:\n {2}${at.root}\n {2}${at.globalFolder}/config\n`))
      return true
    })
    await assert.rejects(at.resolve({cfg: ['../nothing']}), {code: 'file_not_found'})
  })

  it('W30: a load path of a checkout that climbs out of a search root finds nothing, and no guarded value of its own', async () => {
    at.write('app/evil/dev.toml', 'editor.cmd = "touch mark"\n')
    at.write('app/.jp/config.toml', 'config_load_paths = ["../../app/evil", "../app/evil", "evil"]\n')
    const {config, ignored} = await at.resolve({cfg: ['dev']})
    assert.equal(config.editor.cmd, undefined)
    assert.deepEqual(
      ignored.map(({path}) => path.join('.')),
      ['editor.cmd'],
    )
  })

  it('W30: the user’s own files stay the user’s where they lie in the checkout', async () => {
    const config = at.folder('app/.config/jp')
    at.write('app/.config/jp/config.toml', 'extends = ["more.toml"]\nplugins.command.p.run = "allow"\n')
    at.write('app/.config/jp/more.toml', 'editor.cmd = "vim"\n')
    const directories = {...at.place().directories, config}
    const resolved = await at.resolve({}, {directories})
    assert.deepEqual(
      [resolved.config.editor.cmd, resolved.config.plugins.command['p']?.run, resolved.ignored],
      ['vim', 'allow', []],
    )
  })

  it('W13: a path that exists from the launch cwd is used directly, its ending may be left out', async () => {
    at.write('elsewhere/mine.toml', 'user.name = "Ann"\n')
    const launchCwd = at.folder('elsewhere')
    for (const cfg of ['mine.toml', '@mine', '@mine.json', `@${launchCwd}/mine.toml`]) {
      assert.equal((await at.resolve({launchCwd, cfg: [cfg]})).config.user.name, 'Ann')
    }
  })

  it('W13: JP_CFG_* names keys of tables that a user names, by what is there and by what fits', () => {
    const below = {plugins: {command: {serve_web: {run: 'ask'}}}}
    const paths = (names: readonly string[], of = {}): string[][] =>
      environmentAssignments(schema, Object.fromEntries(names.map((name) => [name, 'x'])), of).map(({path}) => [
        ...path,
      ])
    assert.deepEqual(paths(['JP_CFG_CONVERSATION_TOOLS_FS_READ_FILE_RUN']), [
      ['conversation', 'tools', 'fs_read_file', 'run'],
    ])
    assert.deepEqual(paths(['JP_CFG_PLUGINS_COMMAND_SERVE_WEB_RUN']), [['plugins', 'command', 'serve-web', 'run']])
    assert.deepEqual(paths(['JP_CFG_PLUGINS_COMMAND_SERVE_WEB_RUN'], below), [
      ['plugins', 'command', 'serve_web', 'run'],
    ])
    assert.deepEqual(paths(['JP_CFG_PROVIDERS_LLM_ALIASES_MY_MODEL']), [['providers', 'llm', 'aliases', 'my_model']])
    assert.deepEqual(paths(['JP_CFG_PROVIDERS_LLM_MINE_BASE_URL']), [['providers', 'llm', 'mine', 'base_url']])
    assert.deepEqual(paths(['JP_CFG_TEMPLATE_VALUES_MY_N']), [['template', 'values', 'my_n']])
    assert.deepEqual(paths(['JP_CFG_STYLE_LOCK_WAIT_TIMEOUT_SECS']), [['style', 'lock_wait', 'timeout_secs']])
  })

  it('W13: a variable may hold JSON, add, or escape both signs', async () => {
    const {config} = await at.resolve(
      {},
      {
        env: {
          JP_CFG_ASSISTANT_NAME: '\\:x',
          JP_CFG_USER_NAME: ':"a"',
          JP_CFG_CONVERSATION_ATTACHMENTS: ':["a"]',
          JP_CFG_EDITOR_ENVS: '+PAGER',
        },
      },
    )
    assert.deepEqual(
      [config.assistant.name, config.user.name, config.conversation.attachments, config.editor.envs.at(-1)],
      [':x', 'a', ['a'], 'PAGER'],
    )
  })
})
