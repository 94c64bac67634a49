import assert from 'node:assert/strict'
import {spawnSync} from 'node:child_process'
import {existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync} from 'node:fs'
import {join} from 'node:path'
import {launcher, runJp} from '../support/jp.js'
import {writeConversation} from '../support/plant-conversation.js'
import {allowing, createPluginFolder, type PluginFolder} from '../support/plugins.js'
import {createScratch, listing, type Scratch} from '../support/scratch.js'
import {tracedWrites, tracing} from '../support/traced-writes.js'

const multi = {command: ['many'], protocol: 12, workspace_scope: 'multi'}

/** Sends the requests of its first argument, one after the other, and prints what it was given and heard. */
const asker = `
init = json.loads(sys.stdin.readline())
heard = []
for request in json.loads(init["args"][0]) if init["args"] else []:
    sys.stdout.write(json.dumps(request) + "\\n"); sys.stdout.flush()
    heard.append(json.loads(sys.stdin.readline()))
print(json.dumps({"type": "print", "text": json.dumps({"init": init, "heard": heard, "cwd": os.getcwd(), "env": dict(os.environ)})}))
print(json.dumps({"type": "exit", "code": 0}), flush=True)`

type Told = {init: Record<string, unknown>; heard: Record<string, unknown>[]; cwd: string; env: Record<string, string>}

/** The data of an answer, as a test knows it. */
const dataOf = (answer: Record<string, unknown> | undefined): unknown => answer?.['data']

const chat = {timestamp: '2026-09-01 08:00:00.0', type: 'chat_request', content: 'hi'}

describe('multi-scope plugins', () => {
  let scratch: Scratch
  let plugins: PluginFolder
  beforeEach(() => {
    scratch = createScratch()
    plugins = createPluginFolder(scratch)
    plugins.addPython('jp-many', multi, asker)
  })
  afterEach(() => scratch.remove())

  const jp = (cwd: string, ...args: string[]) => runJp(args, {cwd, env: plugins.env})
  const ask = async (cwd: string, requests: readonly object[], ...flags: string[]): Promise<Told> => {
    const run = await jp(cwd, ...allowing('many'), ...flags, 'many', JSON.stringify(requests))
    assert.equal(run.code, 0, run.stderr)
    assert.equal(run.stderr, '')
    return JSON.parse(run.stdout)
  }
  /** Makes a checkout known, as an ordinary run does. */
  const known = async (name: string, id: string): Promise<string> => {
    const root = scratch.checkout(name, id)
    const folder = createPluginFolder(scratch, 'single-plugin')
    folder.addShell('jp-touch', {command: ['touch']}, `read -r i; echo '{"type":"exit","code":0}'`)
    const run = await runJp([...allowing('touch'), 'touch'], {cwd: root, env: folder.env})
    assert.equal(run.code, 0, run.stderr)
    return root
  }

  it('S9, S10: init names no workspace; cwd, arguments and environment do not either, whatever -w selected', async () => {
    const root = await known('secret-launch', 'abcde')
    const elsewhere = scratch.folder('elsewhere')
    const {init, cwd, env} = await ask(elsewhere, [], '-w', root, '-c', 'plugins.command.many.options.a:=1')
    assert.deepEqual(init, {
      type: 'init',
      version: 12,
      paths: {user_data: scratch.data, user_config: join(scratch.home, '.config', 'jp')},
      options: {a: 1},
      args: ['[]'],
      log_level: 0,
      output_format: 'text',
    })
    assert.equal(cwd, elsewhere)
    assert.deepEqual(
      Object.entries(env).filter(([, value]) => value.includes('secret-launch')),
      [],
    )
  })

  it('S7: it starts outside any workspace, asks nothing, and writes nothing but caches', async () => {
    const outside = scratch.folder('outside')
    assert.equal(existsSync(scratch.data), false)
    const {heard} = await ask(outside, [{type: 'list_workspaces', id: 'a'}])
    assert.deepEqual(heard, [{type: 'workspaces', id: 'a', data: []}])
    assert.equal(existsSync(scratch.data), false)
  })

  it('S7, S17: in a workspace nothing below the data directory or the checkout is touched', async () => {
    const root = await known('work', 'abcde')
    scratch.write('work/.jp/config.toml', 'assistant.name = "Ada"\n')
    const before = [listing(scratch.data), listing(root)]
    await ask(root, [{type: 'list_workspaces'}])
    assert.deepEqual([listing(scratch.data), listing(root)], before)
    const fresh = scratch.checkout('fresh', 'fresh')
    const beforeFresh = listing(fresh)
    await ask(fresh, [{type: 'list_workspaces'}])
    assert.deepEqual([listing(scratch.data), listing(fresh)], [before[0], beforeFresh])
  })

  it('S17, S18: list_workspaces is the listing of jp w ls, with launch', async () => {
    const a = await known('a', 'aaaaa')
    const b1 = await known('b1', 'bbbbb')
    const b2 = await known('b2', 'bbbbb')
    const gone = await known('gone', 'ggggg')
    rmSync(gone, {recursive: true})
    const {heard} = await ask(a, [{type: 'list_workspaces', id: 'x'}])
    const listed = JSON.parse((await jp(a, 'w', 'ls', '--format', 'json')).stdout)
    assert.deepEqual(heard, [{type: 'workspaces', id: 'x', data: listed}])
    const data = listed as {id: string; slug: string; launch: boolean; roots: {path: string; storage: string}[]}[]
    assert.deepEqual(
      Object.fromEntries(data.map(({id, launch, roots}) => [id, [launch, roots.map(({path}) => path).sort()]])),
      {aaaaa: [true, [a]], bbbbb: [false, [b1, b2]], ggggg: [false, []]},
    )
    const elsewhere = await ask(scratch.folder('elsewhere'), [{type: 'list_workspaces'}], '-w', b1)
    const launches = (dataOf(elsewhere.heard[0]) as typeof data).filter(({launch}) => launch).map(({id}) => id)
    assert.deepEqual(launches, ['bbbbb'])
  })

  const addressed: readonly ({readonly type: string} & Record<string, unknown>)[] = [
    {type: 'list_conversations'},
    {type: 'read_events', conversation: '1'},
    {type: 'read_config'},
    {type: 'list_configs'},
    {type: 'archive_conversation', conversation: '1'},
    {type: 'set_title', conversation: '1', title: 'x'},
    {type: 'read_draft', conversation: '1'},
    {type: 'write_draft', conversation: '1', content: 'x'},
    {type: 'query', conversation: '1', content: 'x'},
    {type: 'interrupt', conversation: '1'},
  ]

  it('S12, S13, S14: a wrong reference on each of the ten requests is a correlated error, nothing else happens, and it lives on', async () => {
    const one = await known('one', 'aaaaa')
    const two = await known('two', 'bbbbb')
    const other = await known('other', 'bbbbb')
    const dead = await known('dead', 'ddddd')
    renameSync(dead, join(scratch.path, 'moved'))
    mkdirSync(join(one, 'sub'))
    const before = [listing(scratch.data), listing(one), listing(two)]
    const cases: readonly (readonly [unknown, string, readonly string[] | undefined])[] = [
      [undefined, 'workspace_required', undefined],
      [{id: 'zzzzz'}, 'workspace_not_found', undefined],
      [{id: '../..'}, 'workspace_not_found', undefined],
      [{id: 'ddddd'}, 'no_live_checkout', []],
      [{id: 'ddddd', root: dead}, 'no_live_checkout', []],
      [{id: 'bbbbb'}, 'checkout_ambiguous', [two, other].sort()],
      [{id: 'aaaaa', root: two}, 'checkout_not_live', [one]],
      [{id: 'aaaaa', root: join(one, 'sub')}, 'checkout_not_live', [one]],
      [{id: 'aaaaa', root: '/nowhere'}, 'checkout_not_live', [one]],
      [{id: 'aaaaa', root: ''}, 'checkout_not_live', [one]],
    ]
    const requests = cases.flatMap(([workspace], row) =>
      addressed.map((request, column) => ({
        ...request,
        id: `${row}.${column}`,
        ...(workspace === undefined ? {} : {workspace}),
      })),
    )
    const {heard} = await ask(scratch.folder('outside'), [...requests, {type: 'list_workspaces', id: 'end'}])
    const expected = cases.flatMap(([, code, roots], row) =>
      addressed.map((request, column) => ({
        id: `${row}.${column}`,
        request: request.type,
        code,
        ...(roots === undefined ? {} : {roots}),
      })),
    )
    const got = heard.slice(0, -1).map(({id, request, code, roots}) => ({
      id,
      request,
      code,
      ...(roots === undefined ? {} : {roots: [...(roots as string[])].sort()}),
    }))
    assert.deepEqual(got, expected)
    assert.equal(heard.at(-1)?.['type'], 'workspaces')
    assert.deepEqual([listing(scratch.data), listing(one), listing(two)], before)
  })

  it('S13, S35: a single-scope plugin that names a workspace in any of them is told so, and nothing else happens', async () => {
    const root = await known('work', 'abcde')
    writeConversation(join(root, '.jp'), '1', {events: [chat]})
    plugins.addPython('jp-one', {command: ['one'], protocol: 11}, asker)
    const before = [listing(scratch.data), listing(root)]
    const references = [{id: 'abcde'}, {id: 'abcde', root}, {id: 'zzzzz', root: '/nowhere'}]
    const requests = references.flatMap((workspace, row) =>
      addressed.map((request, column) => ({...request, id: `${row}.${column}`, workspace})),
    )
    const all = [...requests, {type: 'list_workspaces', id: 'w'}, {type: 'list_conversations', id: 'end'}]
    const run = await jp(root, ...allowing('one'), 'one', JSON.stringify(all))
    assert.deepEqual([run.code, run.stderr], [0, ''])
    const {heard} = JSON.parse(run.stdout) as Told
    assert.deepEqual(
      heard.slice(0, -1).map(({type, id, request, code}) => [type, id, request, code]),
      all
        .slice(0, -1)
        .map(({id, ...request}) => ['error', id, (request as {type?: string}).type, 'workspace_not_allowed']),
    )
    assert.equal(heard.at(-1)?.['type'], 'conversations')
    assert.deepEqual([listing(scratch.data), listing(root)], before)
  })

  it('S14, FR-06: a linked root is the checkout that it leads to, in each of the ten requests; a link elsewhere is none', async () => {
    const root = await known('one', 'aaaaa')
    const other = await known('two', 'aaaaa')
    writeConversation(join(root, '.jp'), '17567136001', {events: [chat]})
    scratch.write('one/.jp/config.toml', 'assistant.name = "One"\n')
    scratch.write('home/.config/jp/config.toml', 'assistant.model.id = "echo/echo"\n')
    mkdirSync(join(root, 'sub'))
    const link = join(scratch.path, 'link')
    symlinkSync(root, link)
    const real = addressed.map((request) =>
      'conversation' in request ? {...request, conversation: '17567136001'} : request,
    )
    const at = (path: string, column: number) => ({id: `${column}`, workspace: {id: 'aaaaa', root: path}})
    const ordered = [
      ...real.filter(({type}) => type !== 'archive_conversation'),
      ...real.filter(({type}) => type === 'archive_conversation'),
    ]
    const {heard} = await ask(
      scratch.folder('outside'),
      ordered.map((request, column) => ({...request, ...at(link, column)})),
    )
    assert.deepEqual(
      heard.map(({type, code}) => code ?? type),
      [
        'conversations',
        'events',
        'config',
        'configs',
        'done',
        'draft',
        'draft',
        'query_complete',
        'turn_not_running',
        'done',
      ],
    )
    assert.deepEqual((dataOf(heard[2]) as {assistant: {name: string}}).assistant.name, 'One')
    assert.equal(existsSync(join(other, '.jp', 'conversations')), false)
    for (const [name, target] of [
      ['to-sub', join(root, 'sub')],
      ['to-nothing', join(scratch.path, 'nothing')],
    ] as const) {
      symlinkSync(target, join(scratch.path, name))
      const wrong = await ask(
        scratch.folder('outside'),
        real.map((request, column) => ({...request, ...at(join(scratch.path, name), column)})),
      )
      assert.deepEqual(new Set(wrong.heard.map(({code}) => code)), new Set(['checkout_not_live']), name)
    }
  })

  it('S11, S32: read_config is the base from which a new conversation starts there', async () => {
    const root = await known('work', 'abcde')
    scratch.write('home/.config/jp/config.toml', 'assistant.model.id = "echo/echo"\nuser.name = "User"\n')
    scratch.write('work/.jp/config.toml', 'assistant.name = "Checkout"\nextends = ["config/*"]\n')
    scratch.write('work/.jp/config/more.toml', 'style.code.color = false\n')
    scratch.write('work/.jp.toml', 'assistant.instructions = [{title = "T", items = ["Be brief."]}]\n')
    const silo = join(scratch.data, 'workspace', 'work-abcde')
    scratch.write(join(silo, 'config.toml').slice(scratch.path.length + 1), 'assistant.name = "Silo"\n')
    const workspace = {id: 'abcde', root}
    const {heard} = await ask(
      scratch.folder('outside'),
      [
        {type: 'read_config', id: '1', workspace},
        {type: 'query', id: '2', new: true, content: 'hi', workspace},
        {type: 'read_config', id: '3', path: 'assistant.name', workspace},
      ],
      '--cfg',
      'user.name=Launch',
    )
    const [name = ''] = readdirSync(join(silo, 'conversations'))
    const base = JSON.parse(readFileSync(join(silo, 'conversations', name, 'base_config.json'), 'utf8'))
    assert.deepEqual(dataOf(heard[0]), base)
    assert.deepEqual([base.user.name, base.style.code.color], ['User', false])
    assert.equal(heard[1]?.['type'], 'created')
  })

  it('S14: a link to a live root matches; a root that no run has registered counts as live', async () => {
    const root = await known('one', 'aaaaa')
    symlinkSync(root, join(scratch.path, 'link'))
    const unregistered = scratch.checkout('unregistered', 'nnnnn')
    const {heard} = await ask(scratch.folder('outside'), [
      {type: 'list_conversations', workspace: {id: 'aaaaa', root: join(scratch.path, 'link')}},
      {type: 'list_conversations', workspace: {id: 'nnnnn', root: unregistered}},
    ])
    assert.deepEqual(heard, [
      {type: 'conversations', data: []},
      {type: 'conversations', data: []},
    ])
  })

  it('S15, S16: each request sees its checkout’s view: the durable store and that root’s projection', async () => {
    const one = await known('one', 'bbbbb')
    const two = await known('two', 'bbbbb')
    writeConversation(join(one, '.jp'), '17567136001', {events: [chat]})
    writeConversation(join(two, '.jp'), '17567136002', {events: [chat]})
    writeConversation(join(scratch.data, 'workspace', 'one-bbbbb'), '17567136003', {events: [chat]})
    scratch.write('one/.jp/config.toml', 'assistant.name = "One"\n')
    scratch.write('two/.jp.toml', 'assistant.name = "Two"\n')
    const at = (root: string) => ({workspace: {id: 'bbbbb', root}})
    const {heard} = await ask(
      one,
      [
        {type: 'list_conversations', ...at(one)},
        {type: 'list_conversations', ...at(two)},
        {type: 'read_config', path: 'assistant.name', ...at(one)},
        {type: 'read_config', path: 'assistant.name', ...at(two)},
      ],
      '--cfg',
      'assistant.name=Launch',
    )
    const ids = (answer: Record<string, unknown> | undefined) => (dataOf(answer) as {id: string}[]).map(({id}) => id)
    assert.deepEqual(ids(heard[0]), ['jp-c17567136001', 'jp-c17567136003'])
    assert.deepEqual(ids(heard[1]), ['jp-c17567136002', 'jp-c17567136003'])
    assert.deepEqual([heard[2]?.['data'], heard[3]?.['data']], ['One', 'Two'])
  })

  it('S7: a trace of system calls shows no write below the data directory or the checkout', async () => {
    const root = await known('work', 'abcde')
    const log = join(scratch.path, 'calls')
    const [strace = '', ...flags] = tracing(log)
    const command = [process.execPath, launcher, ...allowing('many'), 'many', '[{"type":"list_workspaces"}]']
    const traced = spawnSync(strace, [...flags, ...command], {cwd: root, env: plugins.env, encoding: 'utf8'})
    assert.equal(traced.status, 0, traced.stderr)
    assert.ok(readFileSync(log, 'utf8').includes(`${root}/.jp/.id`), 'the trace has what was read')
    assert.deepEqual(tracedWrites(log, [scratch.data, root]).writes, [])
  })

  const many = process.env['JP_SOAK'] === '1' ? 10_000 : 1000
  const each = process.env['JP_SOAK'] === '1' ? 100 : 20

  it(`S29, S30, Q19: ${many} requests over 20 checkouts of ${each} conversations: descriptors stay flat, memory is within bounds, answers are fresh`, async function () {
    this.timeout(200_000 + many * 90)
    const roots = Array.from({length: 20}, (_, index) =>
      scratch.checkout(`tree-${index}`, `w${String(index).padStart(4, '0')}`),
    )
    for (const root of roots)
      for (let number = 0; number < each; number++) writeConversation(join(root, '.jp'), `1${number}`, {events: [chat]})
    plugins.addPython(
      'jp-long',
      {...multi, command: ['long']},
      `
def ask(**message):
    sys.stdout.write(json.dumps(message) + "\\n"); sys.stdout.flush()
    return json.loads(sys.stdin.readline())
init = json.loads(sys.stdin.readline())
print(json.dumps({"type": "ready", "protocol": 12}), flush=True)
count, roots = int(init["args"][0]), init["args"][1:]
host = os.getppid()
def held(): return len(os.listdir("/proc/%d/fd" % host))
def rss(): return int([l for l in open("/proc/%d/status" % host) if l.startswith("VmRSS")][0].split()[1]) // 1024
stale, wrote = 0, [int(os.environ["EACH"])] * len(roots)
for i in range(count):
    at = i % len(roots); root = roots[at]
    if i == 100: before = held()
    if i % 50 == 7:
        folder = os.path.join(root, ".jp", "conversations", str(17567136000 + i)); os.makedirs(folder)
        open(os.path.join(folder, "events.json"), "w").write("[]")
        open(os.path.join(folder, "metadata.json"), "w").write('{"last_activated_at": "2026-09-01 08:00:00.0"}')
        wrote[at] += 1
    answer = ask(type="list_conversations", id=str(i), workspace={"id": "w%04d" % at, "root": root})
    if len(answer["data"]) != wrote[at]: stale += 1
print(json.dumps({"type": "print", "text": json.dumps([stale, held() - before, rss()])}))
print(json.dumps({"type": "exit", "code": 0}), flush=True)`,
    )
    const run = await runJp([...allowing('long'), 'long', String(many), ...roots], {
      cwd: scratch.path,
      env: {...plugins.env, EACH: String(each)},
      timeoutMs: 200_000 + many * 90,
    })
    assert.equal(run.code, 0, run.stderr)
    const [stale, moreDescriptors, megabytes] = JSON.parse(run.stdout)
    assert.deepEqual([stale, moreDescriptors], [0, 0])
    assert.ok(megabytes < 150, `${megabytes} MB`)
  })

  it('S7, S8: run = "deny" of the launch workspace stops it, reached by cwd or by -w; admitted elsewhere', async () => {
    const root = await known('work', 'abcde')
    scratch.write('home/.config/jp/config.toml', 'plugins.command.many.run = "allow"\n')
    scratch.write('work/.jp/config.toml', 'plugins.command.many.run = "deny"\n')
    const outside = scratch.folder('outside')
    assert.equal((await jp(outside, 'many')).code, 0)
    for (const run of [
      await jp(root, 'many'),
      await jp(outside, '-w', root, 'many'),
      await jp(outside, '-w', 'abcde', 'many'),
    ]) {
      assert.deepEqual([run.code, run.stdout], [5, ''])
      assert.match(run.stderr, /The plugin "many" is denied by the configuration/)
    }
  })

  it('S7: a broken configuration of the launch workspace is an error, never a run under the user layers', async () => {
    const root = await known('work', 'abcde')
    scratch.write('home/.config/jp/config.toml', 'plugins.command.many.run = "allow"\n')
    scratch.write('work/.jp/config.toml', 'x = = 1\n')
    const run = await jp(root, 'many')
    assert.deepEqual([run.code, run.stdout], [1, ''])
    assert.match(run.stderr, /\.jp\/config\.toml:1/)
  })

  it('S7: an explicit -w that names nothing, what is gone, or several is an error, never the cwd', async () => {
    const root = await known('one', 'aaaaa')
    await known('two', 'bbbbb')
    await known('other', 'bbbbb')
    const dead = await known('dead', 'ddddd')
    rmSync(dead, {recursive: true})
    scratch.write('home/.config/jp/config.toml', 'plugins.command.many.run = "allow"\n')
    for (const [target, code] of [
      ['nothing-like-it', 3],
      ['ddddd', 3],
      ['bbbbb', 2],
      ['?', 2],
    ] as const) {
      const run = await jp(root, '-w', target, 'many')
      assert.deepEqual([run.code, run.stdout], [code, ''], `${target}: ${run.stderr}`)
    }
  })

  it('S1, S2: multi with a lower protocol, and 12 without a scope, are invalid', async () => {
    plugins.addShell('jp-low', {command: ['low'], protocol: 11, workspace_scope: 'multi'}, 'exit')
    plugins.addShell('jp-none', {command: ['none'], protocol: 12}, 'exit')
    const outside = scratch.folder('outside')
    assert.match(
      (await jp(outside, 'low')).stderr,
      /jp-low is invalid: "workspace_scope": "multi" needs "protocol" 12 or more, not 11\./,
    )
    assert.match((await jp(outside, 'none')).stderr, /jp-none is invalid: "protocol" 12 needs a "workspace_scope"\./)
  })

  it('S4: a binary without a manifest takes its scope from its approval', async () => {
    const describe = {
      type: 'describe',
      protocol: 12,
      workspace_scope: 'multi',
      description: 'd',
      command: ['old'],
      name: 'old',
      version: '1',
      help: 'h',
    }
    const path = plugins.add(
      'jp-old',
      `#!/bin/sh\nread -r line\ncase "$line" in *describe*) printf '%s\\n' '${JSON.stringify(describe)}';; *) printf '%s' "$line" >"$HOME/init"; echo '{"type":"exit","code":0}';; esac\n`,
    )
    const outside = scratch.folder('outside')
    assert.equal((await jp(outside, 'plugins', 'approve', path)).code, 0)
    assert.equal((await jp(outside, 'old')).code, 0)
    assert.equal('workspace' in JSON.parse(readFileSync(join(scratch.home, 'init'), 'utf8')), false)
  })
})
