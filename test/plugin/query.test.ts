import assert from 'node:assert/strict'
import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {existsSync, readdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {launcher, runJp} from '../support/jp.js'
import {writeConversation} from '../support/plant-conversation.js'
import {allowing, createPluginFolder, type PluginFolder, survivorsOf, untilNoSurvivors} from '../support/plugins.js'
import {until} from '../support/processes.js'
import {createScratch, git, type Scratch} from '../support/scratch.js'
import {startTitleServer} from '../support/title-server.js'

const prelude = `
def say(**message):
    sys.stdout.write(json.dumps(message) + "\\n"); sys.stdout.flush()
def hear():
    line = sys.stdin.readline()
    return json.loads(line) if line else None
def ask(**message):
    say(**message); return hear()
def tell(value):
    say(type="print", text=json.dumps(value)); say(type="exit", code=0); sys.exit(0)
init = hear()
`

const chat = {timestamp: '2026-09-01 08:00:00.0', type: 'chat_request', content: 'before'}
const model = 'assistant.model.id = "echo/echo"\n'

describe('turns that a plugin delegates', () => {
  let scratch: Scratch
  let plugins: PluginFolder
  let root: string
  let silo: string
  beforeEach(() => {
    scratch = createScratch()
    plugins = createPluginFolder(scratch)
    root = scratch.checkout('work', 'abcde')
    silo = join(scratch.data, 'workspace', 'work-abcde')
    scratch.write('home/.config/jp/config.toml', model)
  })
  afterEach(async () => {
    await untilNoSurvivors(scratch.path)
    scratch.remove()
  })

  const env = (steps?: readonly object[]) =>
    steps === undefined
      ? plugins.env
      : {...plugins.env, JP_ECHO_SCRIPT: scratch.write('steps.json', JSON.stringify(steps))}
  const run = (body: string, options: {steps?: readonly object[]; cwd?: string; flags?: readonly string[]} = {}) => {
    plugins.addPython('jp-ask', {command: ['ask']}, prelude + body)
    const args = [...allowing('ask'), ...(options.flags ?? []), 'ask']
    return runJp(args, {cwd: options.cwd ?? root, env: env(options.steps), timeoutMs: 90_000})
  }
  const told = async (body: string, options: Parameters<typeof run>[1] = {}) => {
    const {stdout, stderr, code} = await run(body, options)
    assert.deepEqual([stderr, code], ['', 0])
    return JSON.parse(stdout)
  }
  const conversations = () => join(silo, 'conversations')
  const eventsOf = (name: string): {type: string; content?: string; message?: string; delta?: unknown}[] =>
    JSON.parse(readFileSync(join(conversations(), name, 'events.json'), 'utf8'))
  const typesOf = (name: string) => eventsOf(name).map(({type}) => type)

  it('P17, P18: a new conversation: created at once, query_complete when the turn has ended and its lock is free', async () => {
    const heard = await told(`
first = ask(type="query", id="q", new=True, content="hello wörld", title="Greeting")
last = hear()
events = ask(type="read_events", id="e", conversation=first["conversation"])
tell([first, last, events])`)
    const [created, complete, events] = heard
    assert.match(created.conversation, /^jp-c\d{11}$/)
    assert.deepEqual(created, {type: 'created', id: 'q', conversation: created.conversation})
    assert.deepEqual(complete, {type: 'query_complete', id: 'q', conversation: created.conversation})
    assert.equal('lock' in events, false)
    assert.equal(events.title, 'Greeting')
    assert.deepEqual([events.last_root.path, events.last_root.live], [root, true])
    assert.deepEqual(
      events.data.map((event: {type: string; content?: string; message?: string}) => [
        event.type,
        event.content ?? event.message,
      ]),
      [
        ['turn_start', undefined],
        ['chat_request', 'hello wörld'],
        ['chat_response', 'hello wörld'],
      ],
    )
  })

  it('S19, S20, S22: the record is written with the turn, and never into the checkout', async () => {
    const [{conversation}] = await told('tell([ask(type="query", id="q", new=True, content="x"), hear()])')
    const name = readdirSync(conversations()).find((entry) => conversation.endsWith(entry)) ?? ''
    const record = JSON.parse(readFileSync(join(conversations(), name, 'metadata.local.json'), 'utf8'))
    assert.equal(record.last_root.path, realpathSync(root))
    const projected = readdirSync(join(root, '.jp', 'conversations', name)).sort()
    assert.deepEqual(projected, ['base_config.json', 'events.json', 'metadata.json'])
  })

  it('P18: requests are answered while a turn runs; two turns run at once; each answer has its id', async () => {
    const steps = [{text: 'word ', repeat: 10, delay_ms: 30}]
    const heard = await told(
      `
say(type="query", id="a", new=True, content="x"); say(type="query", id="b", new=True, content="y")
say(type="list_conversations", id="l")
seen = [hear() for _ in range(5)]
tell([[m["type"], m["id"]] for m in seen])`,
      {steps},
    )
    assert.deepEqual(heard.slice(0, 3), [
      ['created', 'a'],
      ['created', 'b'],
      ['conversations', 'l'],
    ])
    assert.deepEqual(heard.slice(3).sort(), [
      ['query_complete', 'a'],
      ['query_complete', 'b'],
    ])
  })

  it('facts 5.6: an existing conversation: its own configuration, cfg on top as a delta; the draft goes', async () => {
    writeConversation(silo, '17567136000', {events: [chat]})
    writeFileSync(join(conversations(), '17567136000', 'QUERY_MESSAGE.md'), 'again')
    const heard = await told(
      'tell([ask(type="query", id="q", conversation="17567136000", content="again", cfg=["assistant.name=Ada"])])',
    )
    assert.deepEqual(heard, [{type: 'query_complete', id: 'q', conversation: '17567136000'}])
    assert.deepEqual(typesOf('17567136000'), [
      'chat_request',
      'config_delta',
      'turn_start',
      'chat_request',
      'chat_response',
    ])
    assert.deepEqual(eventsOf('17567136000')[1]?.delta, {assistant: {name: 'Ada'}})
    assert.equal(existsSync(join(conversations(), '17567136000', 'QUERY_MESSAGE.md')), false)
  })

  it('S32: the --cfg of the launch does not reach a delegated turn', async () => {
    await told('tell([ask(type="query", id="q", new=True, content="x"), hear()])', {
      flags: ['-c', 'assistant.name=Launch'],
    })
    const [name = ''] = readdirSync(conversations())
    assert.doesNotMatch(readFileSync(join(conversations(), name, 'base_config.json'), 'utf8'), /Launch/)
  })

  it('facts 5.6: wrong queries are correlated errors, and nothing is stored', async () => {
    const heard = await told(`
answers = [
  ask(type="query", id="1", new=True, content="  "),
  ask(type="query", id="2", conversation="jp-c1", content="x"),
  ask(type="query", id="3", new=True, content="x", expires_in="soon"),
  ask(type="query", id="4", conversation="jp-c1", content="x", expires_in="2h"),
  ask(type="query", id="5", new=True, content="x", cfg=["assistant.model.id=nobody/nothing"]),
  ask(type="query", id="6", new=True, content="x", cfg=["nonsense.key=1"]),
  ask(type="interrupt", id="7", conversation="jp-c1"),
]
tell([[a["id"], a["type"], a["request"], a["code"]] for a in answers])`)
    assert.deepEqual(heard, [
      ['1', 'error', 'query', 'request_invalid'],
      ['2', 'error', 'query', 'conversation_not_found'],
      ['3', 'error', 'query', 'request_invalid'],
      ['4', 'error', 'query', 'request_invalid'],
      ['5', 'error', 'query', 'provider_unknown'],
      ['6', 'error', 'query', 'config_key_unknown'],
      ['7', 'error', 'interrupt', 'turn_not_running'],
    ])
    assert.equal(existsSync(conversations()), false)
  })

  it('P17: query.schema: data is the value', async () => {
    const steps = [{data: {titles: ['One']}}]
    const [, complete] = await told(
      'tell([ask(type="query", id="q", new=True, content="x", schema={"type": "object"}), hear()])',
      {steps},
    )
    assert.deepEqual(complete.data, {titles: ['One']})
  })

  it('P18: a turn that fails after "created" is an error with the same id, and the conversation stays', async () => {
    const steps = [{text: 'half'}, {error: 'refused'}]
    const [created, error] = await told('tell([ask(type="query", id="q", new=True, content="x"), hear()])', {steps})
    assert.equal(created.type, 'created')
    assert.deepEqual([error.type, error.id, error.request, error.code], ['error', 'q', 'query', 'provider_refused'])
    assert.equal(readdirSync(conversations()).length, 1)
  })

  it('W19, P17: while a turn runs its conversation is locked "here", and cannot be titled, archived or queried', async () => {
    const steps = [{text: 'word ', repeat: 20, delay_ms: 30}]
    const heard = await told(
      `
new = ask(type="query", id="q", new=True, content="x")["conversation"]
answers = []
while True:
    events = ask(type="read_events", id="e", conversation=new)
    if events["type"] == "events": break
answers = [ask(type="set_title", id="t", conversation=new, title="x"), ask(type="archive_conversation", id="a", conversation=new), ask(type="query", id="z", conversation=new, content="y")]
tell([events["lock"], [a.get("code") for a in answers], hear()["type"]])`,
      {steps},
    )
    assert.deepEqual(heard, [
      'here',
      ['conversation_locked', 'conversation_locked', 'conversation_locked'],
      'query_complete',
    ])
  })

  it('P18: interrupt "stop" is done when the turn takes it; what was received is kept', async () => {
    const steps = [{text: 'word ', repeat: 1000, delay_ms: 10}]
    const heard = await told(
      `
new = ask(type="query", id="q", new=True, content="x")["conversation"]
while ask(type="read_events", id="e", conversation=new)["type"] != "events": pass
say(type="interrupt", id="i", conversation=new)
both = sorted([hear()["type"], hear()["type"]])
tell(both)`,
      {steps},
    )
    assert.deepEqual(heard, ['done', 'query_complete'])
  })

  it('P18: interrupt "reply" goes on with the reply, and is done when the turn has taken it', async () => {
    const steps = [{text: 'word ', repeat: 50, delay_ms: 10}, {end: 'stop'}, {echo: true}]
    const heard = await told(
      `
new = ask(type="query", id="q", new=True, content="x")["conversation"]
while ask(type="read_events", id="e", conversation=new)["type"] != "events": pass
say(type="interrupt", id="i", conversation=new, action="reply", content="and now this")
first = hear(); last = hear()
blank = ask(type="interrupt", id="b", conversation=new, action="reply", content=" ")
tell([first["type"], last["type"], blank["code"]])`,
      {steps},
    )
    assert.deepEqual(heard, ['done', 'query_complete', 'turn_not_running'])
    const [name = ''] = readdirSync(conversations())
    assert.deepEqual(
      eventsOf(name).flatMap(({type, content}) => (type === 'chat_request' ? [content] : [])),
      ['x', 'and now this'],
    )
  })

  for (const [how, body] of [
    ['says "exit"', 'say(type="exit", code=3)'],
    ['is killed', 'os.kill(os.getpid(), signal.SIGKILL)'],
  ] as const) {
    it(`S31: a plugin that ${how} with a delegated turn running: the turn ends and is stored, the lock is free`, async () => {
      const steps = [{text: 'word ', repeat: 30, delay_ms: 30}]
      const ended = await run(`new = ask(type="query", id="q", new=True, content="x")["conversation"]\n${body}`, {
        steps,
      })
      assert.equal(ended.code, how === 'is killed' ? 7 : 3)
      const [name = ''] = readdirSync(conversations())
      assert.equal(eventsOf(name).at(-1)?.message, 'word '.repeat(30))
      assert.deepEqual(readdirSync(join(silo, 'locks')), [])
    })
  }

  it('S31, S34: a plugin that is killed with a turn running: the turn ends, is stored and titled, the lock is free', async () => {
    const dead = async (): Promise<string> => {
      await until(() => survivorsOf(scratch.path).length === 0, 'the end of the plugin')
      await until(() => server.asked.includes('title'), 'the request for a title')
      return 'the whole answer'
    }
    const titles = {turn: dead, title: (content: string) => `{"titles": ["About ${content}"]}`}
    const server = await startTitleServer(scratch, titles, 'assistant.model.id = "spy/model"')
    try {
      const ended = await run(
        'ask(type="query", id="q", new=True, content="the sky")\nos.kill(os.getpid(), signal.SIGKILL)',
      )
      assert.equal(ended.code, 7)
    } finally {
      server.close()
    }
    const [name = '', ...others] = readdirSync(conversations())
    assert.deepEqual(others, [])
    assert.match(name, /^\d{11}-about-the-sky$/)
    assert.equal(JSON.parse(readFileSync(join(conversations(), name, 'metadata.json'), 'utf8')).title, 'About the sky')
    assert.equal(eventsOf(name).at(-1)?.message, 'the whole answer')
    assert.deepEqual(readdirSync(join(root, '.jp', 'conversations')), [name])
    assert.deepEqual(readdirSync(join(silo, 'locks')), [])
  })

  it('S34: a title whose conversation is gone is told of, and writes nowhere', async () => {
    const title = async (): Promise<string> => {
      await until(() => existsSync(conversations()), 'the first event')
      for (const shelf of [conversations(), join(root, '.jp', 'conversations')]) rmSync(shelf, {recursive: true})
      return '{"titles": ["Late"]}'
    }
    let release: (words: string) => void = () => undefined
    const released = new Promise<string>((resolve) => {
      release = resolve
    })
    const server = await startTitleServer(scratch, {turn: () => released, title}, 'assistant.model.id = "spy/model"')
    plugins.addPython(
      'jp-ask',
      {command: ['ask']},
      `${prelude}ask(type="query", id="q", new=True, content="the sky")\nsys.exit(0)`,
    )
    const child = spawn(process.execPath, [launcher, ...allowing('ask'), 'ask'], {
      cwd: root,
      env: env(),
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    try {
      let told = ''
      child.stderr.on('data', (bytes: Buffer) => {
        told += bytes.toString()
        // The turn goes on until the title has been told of.
        if (/The title of jp-c\d+ was dropped: it is gone from .*work\.\n/.test(told)) release('ok')
      })
      assert.deepEqual(await once(child, 'close'), [7, null], told)
    } finally {
      child.kill('SIGKILL')
      server.close()
    }
    assert.equal(existsSync(conversations()), false)
  })

  it('S34, P20: one Ctrl-C stops the plugin and its turns; each keeps what it has', async () => {
    const steps = [{text: 'word ', repeat: 10_000, delay_ms: 20}]
    const started = join(scratch.path, 'started')
    plugins.addPython(
      'jp-ask',
      {command: ['ask']},
      `${prelude}
for i in range(3): say(type="query", id=str(i), new=True, content="x")
seen = [hear() for _ in range(3)]
open(${JSON.stringify(started)}, "w")
while hear()["type"] != "shutdown": pass
say(type="exit", code=11)`,
    )
    const child = spawn(process.execPath, [launcher, ...allowing('ask'), 'ask'], {
      cwd: root,
      env: env(steps),
      detached: true,
      stdio: 'ignore',
    })
    const isStored = (): boolean => existsSync(conversations()) && readdirSync(conversations()).length === 3
    await until(() => existsSync(started) && isStored(), 'three turns')
    child.kill('SIGINT')
    const [code] = await once(child, 'close')
    assert.equal(code, 11)
    for (const name of readdirSync(conversations())) assert.equal(eventsOf(name)[1]?.content, 'x')
    assert.deepEqual(readdirSync(join(silo, 'locks')), [])
  })

  describe('S27: the last-root guard of a single-scope plugin', () => {
    const query = (more = '') => `tell([ask(type="query", id="q", conversation="17567136000", content="go on"${more})])`
    let other: string
    beforeEach(() => {
      git(root, scratch.env, 'init', '-q')
      git(root, scratch.env, 'add', '-A')
      git(root, scratch.env, 'commit', '-qm', 'x')
      git(root, scratch.env, 'worktree', 'add', '-q', '../other')
      other = join(scratch.path, 'other')
    })
    const ranIn = (path: string): void => {
      const folder = writeConversation(silo, '17567136000', {events: [chat]})
      writeFileSync(
        join(folder, 'metadata.local.json'),
        JSON.stringify({last_root: {path, last_used: '2026-09-01T08:00:00Z'}}),
      )
    }
    const record = (path: string, live: boolean) => ({path, last_used: '2026-09-01T08:00:00Z', live})

    it('FR-09: a live record of another checkout refuses, and names that checkout', async () => {
      ranIn(root)
      const [error] = await told(query(), {cwd: other})
      assert.deepEqual([error.code, error.id, error.last_root], ['last_root_mismatch', 'q', record(root, true)])
      assert.ok(error.message.includes(root))
      assert.deepEqual(typesOf('17567136000'), ['chat_request'])
      const [confirmed] = await told(query(`, expected_last_root={"path": ${JSON.stringify(root)}}`), {cwd: other})
      assert.equal(confirmed.code, 'last_root_mismatch')
    })

    it('FR-03: a dead record refuses unless it is confirmed; then the turn runs and moves the record', async () => {
      ranIn('/gone/tree')
      const [error] = await told(query(), {cwd: other})
      assert.deepEqual([error.code, error.last_root], ['last_root_mismatch', record('/gone/tree', false)])
      const [answer] = await told(
        query(', expected_last_root={"path": "/gone/tree", "live": True, "last_used": "2026-09-01T10:00:00+02:00"}'),
        {cwd: other},
      )
      assert.equal(answer.type, 'query_complete')
      const local = JSON.parse(readFileSync(join(conversations(), '17567136000', 'metadata.local.json'), 'utf8'))
      assert.equal(local.last_root.path, other)
    })

    it('no record and none sent runs; one that was sent differs from an absent one', async () => {
      writeConversation(silo, '17567136000', {events: [chat]})
      const [error] = await told(query(`, expected_last_root={"path": ${JSON.stringify(root)}}`))
      assert.deepEqual([error.code, error.last_root], ['last_root_mismatch', null])
      const [answer] = await told(query())
      assert.equal(answer.type, 'query_complete')
    })

    it('a record of this checkout runs; a later turn in it shows in last_used', async () => {
      ranIn(root)
      const [late] = await told(
        query(`, expected_last_root={"path": ${JSON.stringify(root)}, "last_used": "2026-08-31T08:00:00Z"}`),
      )
      assert.equal(late.code, 'last_root_mismatch')
      const [answer] = await told(
        query(`, expected_last_root={"path": ${JSON.stringify(root)}, "last_used": "2026-09-01T08:00:00Z"}`),
      )
      assert.equal(answer.type, 'query_complete')
    })

    it('FR-01, S26: a conversation started by jp query in one tree is reported with that tree, and refused in another', async () => {
      const started = await runJp(['query', '--new', '--format', 'json', 'hi'], {cwd: root, env: plugins.env})
      assert.equal(started.code, 0, started.stderr)
      const [listed, error] = await told(
        `
entry = ask(type="list_conversations", id="l")["data"][0]
tell([entry, ask(type="query", id="q", conversation=entry["id"], content="go on")])`,
        {cwd: other},
      )
      assert.deepEqual([listed.last_root.path, listed.last_root.live], [root, true])
      assert.deepEqual(error.last_root, listed.last_root)
      renameSync(root, join(scratch.path, 'moved'))
    })
  })
})
