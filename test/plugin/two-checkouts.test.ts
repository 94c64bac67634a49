import assert from 'node:assert/strict'
import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {existsSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {basename, join} from 'node:path'
import {launcher, repository, runJp} from '../support/jp.js'
import {writeConversation} from '../support/plant-conversation.js'
import {allowing, createPluginFolder, type PluginFolder, survivorsOf, untilNoSurvivors} from '../support/plugins.js'
import {isRunning, until} from '../support/processes.js'
import {createScratch, git, type Scratch} from '../support/scratch.js'
import {startTitleServer, type TitleAnswers, type TitleServer} from '../support/title-server.js'

const prelude = `
import random
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
say(type="ready", protocol=12)
`

/**
 * Keeps four queries running at a time, in random checkouts: new conversations, and more turns in those of before. It
 * prints what it did: the model that the disk is compared with.
 */
const driver = `
rng = random.Random(int(init["args"][0])); count = int(init["args"][1]); roots = init["args"][2:]
done, running, model, wrong = 0, {}, {}, []
def start(number):
    idle = [c for c in model if c not in [r["conversation"] for r in running.values()]]
    if idle and rng.random() < 0.4:
        conversation = rng.choice(sorted(idle)); root = model[conversation]["root"]
        running[str(number)] = {"conversation": conversation, "root": root}
        say(type="query", id=str(number), conversation=conversation, content="turn %d" % number, workspace={"id": "abcde", "root": root}, expected_last_root={"path": root})
    else:
        root = rng.choice(roots)
        running[str(number)] = {"conversation": None, "root": root}
        say(type="query", id=str(number), new=True, content="turn %d" % number, workspace={"id": "abcde", "root": root})
number = 0
while done < count:
    while number < count and len(running) < 4:
        start(number); number += 1
    if rng.random() < 0.3:
        root = rng.choice(roots)
        say(type="read_config", id="config " + root, path="assistant.name", workspace={"id": "abcde", "root": root})
    message = hear()
    if message["type"] == "created":
        running[message["id"]]["conversation"] = message["conversation"]
    elif message["type"] == "query_complete":
        turn = running.pop(message["id"]); done += 1
        entry = model.setdefault(turn["conversation"], {"root": turn["root"], "turns": []})
        entry["turns"].append("turn " + message["id"])
    elif message["type"] == "config":
        if message["data"] != os.path.basename(message["id"][7:]): wrong.append(message)
    else:
        wrong.append(message); done += 1
tell({"model": model, "wrong": wrong})`

type Model = Record<string, {root: string; turns: string[]}>
type Event = {type: string; content?: string}

describe('two checkouts of one workspace, addressed by one plugin', () => {
  let scratch: Scratch
  let plugins: PluginFolder
  let one: string
  let two: string
  beforeEach(() => {
    scratch = createScratch()
    plugins = createPluginFolder(scratch)
    one = scratch.checkout('one', 'abcde')
    git(one, scratch.env, 'init', '-q')
    git(one, scratch.env, 'add', '-A')
    git(one, scratch.env, 'commit', '-qm', 'x')
    git(one, scratch.env, 'worktree', 'add', '-q', '../two')
    two = join(scratch.path, 'two')
    for (const root of [one, two])
      writeFileSync(join(root, '.jp', 'config.toml'), `assistant.name = "${basename(root)}"\n`)
    scratch.write(
      'home/.config/jp/config.toml',
      `assistant.model.id = "echo/echo"
[conversation.tools.stamp]
source = "local"
run = "unattended"
command = "sh -c 'echo x >>stamp-$0; pwd' {{context.conversation_id}}"
`,
    )
  })
  afterEach(async () => {
    await untilNoSurvivors(scratch.path)
    scratch.remove()
  })

  const multi = {command: ['many'], protocol: 12, workspace_scope: 'multi'}
  type Scene = {readonly steps?: readonly object[]; readonly env?: Readonly<Record<string, string>>}
  const run = (body: string, args: readonly string[], {steps, env}: Scene = {}) => {
    plugins.addPython('jp-many', multi, prelude + body)
    const script = steps === undefined ? {} : {JP_ECHO_SCRIPT: scratch.write('steps.json', JSON.stringify(steps))}
    const cwd = scratch.folder('elsewhere')
    const timeoutMs = 60_000 + turns * 10_000
    return runJp([...allowing('many'), 'many', ...args], {cwd, env: {...plugins.env, ...script, ...env}, timeoutMs})
  }
  const told = async (body: string, args: readonly string[] = [], scene: Scene = {}) => {
    const {stdout, stderr, code} = await run(body, args, scene)
    assert.deepEqual([stderr, code], ['', 0])
    return JSON.parse(stdout)
  }
  /** Named after the checkout that was opened first. */
  const silo = (): string => {
    const [name = 'one-abcde'] = existsSync(join(scratch.data, 'workspace'))
      ? readdirSync(join(scratch.data, 'workspace'))
      : []
    return join(scratch.data, 'workspace', name)
  }
  const folderOf = (id: string): string => {
    const shelf = join(silo(), 'conversations')
    const name = readdirSync(shelf).find((entry) => entry.startsWith(id.slice('jp-c'.length))) ?? assert.fail(id)
    return join(shelf, name)
  }
  const eventsOf = (id: string): Event[] => JSON.parse(readFileSync(join(folderOf(id), 'events.json'), 'utf8'))
  const recordOf = (id: string) => JSON.parse(readFileSync(join(folderOf(id), 'metadata.local.json'), 'utf8')).last_root

  const turns = process.env['JP_SOAK'] === '1' ? 200 : 20

  describe('each with a file-writing tool and an MCP server', () => {
    const server = join(repository, 'test', 'fixtures', 'mcp', 'server.mjs')
    const trusted = {JP_TRUST_WORKSPACE: '1', TEST_ONE: '1', TEST_TWO: '2'}
    beforeEach(() => {
      for (const root of [one, two]) {
        const name = basename(root)
        scratch.write(
          `${name}/.jp/config.toml`,
          `assistant.name = "${name}"
[providers.mcp.tiny]
command = ${JSON.stringify(process.execPath)}
arguments = ${JSON.stringify([server, `name=${name}`])}
variables = ["TEST_${name.toUpperCase()}"]
[conversation.tools.who]
source = "mcp.tiny"
run = "unattended"
`,
        )
      }
    })
    const expectedOf = (root: string) => ({
      cwd: root,
      name: basename(root),
      variables: root === one ? {TEST_ONE: '1'} : {TEST_TWO: '2'},
    })
    const outputsOf = (events: readonly Event[]): string[] =>
      events.flatMap(({type, content}) =>
        type === 'tool_call_response'
          ? [
              Buffer.from(content ?? '', 'base64')
                .toString()
                .trim(),
            ]
          : [],
      )

    it(`S16, S31, S32, S33, FR-09: ${turns} interleaved turns: every file, folder, server, value, event and record is the addressed checkout’s`, async function () {
      this.timeout(turns * 10_000 + 60_000)
      const seed = process.env['JP_SEED'] ?? String(Date.now() % 1e9)
      const steps = [
        {tool_call: {name: 'stamp', arguments: {}}},
        {tool_call: {name: 'who', arguments: {}}},
        {text: 'done', delay_ms: 20},
      ]
      const {model, wrong} = (await told(driver, [seed, String(turns), one, two], {steps, env: trusted})) as {
        model: Model
        wrong: unknown[]
      }
      assert.deepEqual(wrong, [], `seed ${seed}`)
      const instances = new Set<string>()
      for (const [id, {root, turns: done}] of Object.entries(model)) {
        const other = root === one ? two : one
        const about = `${id} of ${root}, seed ${seed}`
        assert.deepEqual(readFileSync(join(root, `stamp-${id}`), 'utf8'), 'x\n'.repeat(done.length), about)
        assert.equal(existsSync(join(other, `stamp-${id}`)), false, about)
        const events = eventsOf(id)
        assert.deepEqual(
          events.flatMap(({type, content}) => (type === 'chat_request' ? [content] : [])),
          done,
          about,
        )
        const outputs = outputsOf(events)
        const servers = outputs
          .filter((output) => output.startsWith('{'))
          .map((output): {pid: number; cwd: string; name: string; variables: object} => JSON.parse(output))
        assert.deepEqual(
          outputs.filter((output) => !output.startsWith('{')),
          done.map(() => root),
          about,
        )
        assert.deepEqual(
          servers.map(({cwd, name, variables}) => ({cwd, name, variables})),
          done.map(() => expectedOf(root)),
          about,
        )
        for (const {pid} of servers) instances.add(`${root} ${pid}`)
        assert.equal(recordOf(id).path, root, about)
        const base = JSON.parse(readFileSync(join(folderOf(id), 'base_config.json'), 'utf8'))
        assert.equal(base.assistant.name, basename(root), about)
        assert.equal(existsSync(join(root, '.jp', 'conversations', basename(folderOf(id)))), true, about)
        assert.equal(existsSync(join(other, '.jp', 'conversations', basename(folderOf(id)))), false, about)
      }
      assert.deepEqual(readdirSync(join(silo(), 'locks')), [])
      assert.equal(Object.values(model).flatMap((entry) => entry.turns).length, turns)
      const ran = [...instances].map((instance) => instance.split(' '))
      const addressed = [...new Set(Object.values(model).map(({root}) => root))].sort()
      assert.deepEqual(ran.map(([root = '']) => root).sort(), addressed, `one instance a checkout, seed ${seed}`)
      await until(() => !ran.some(([, pid]) => isRunning(Number(pid))), 'the servers to end')
    })
  })

  it('S27, FR-09: continued with the record it was shown; a terminal turn elsewhere in between is refused with the current one', async () => {
    const started = await runJp(['query', '--new', 'hi'], {cwd: one, env: plugins.env})
    assert.equal(started.code, 0, started.stderr)
    const body = `
at = lambda root: {"id": "abcde", "root": root}
one, two, jp, node = init["args"]
entry = ask(type="list_conversations", workspace=at(one))["data"][0]
shown = entry["last_root"]
first = ask(type="query", id="1", conversation=entry["id"], content="go on", workspace=at(shown["path"]), expected_last_root=shown)
shown = ask(type="read_events", conversation=entry["id"], workspace=at(one))["last_root"]
subprocess.run([node, jp, "query", "--id", entry["id"], "from a terminal"], cwd=two, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
late = ask(type="query", id="2", conversation=entry["id"], content="late", workspace=at(shown["path"]), expected_last_root=shown)
chosen = ask(type="query", id="3", conversation=entry["id"], content="chosen", workspace=at(one))
absent = ask(type="query", id="4", new=True, content="x", workspace=at(one), expected_last_root={"path": one})
tell([entry, first, late, chosen, absent])`
    const [entry, first, late, chosen, absent] = await told(body, [one, two, launcher, process.execPath])
    assert.deepEqual([entry.last_root.path, entry.last_root.live], [one, true])
    assert.equal(first.type, 'query_complete')
    assert.deepEqual(
      [late.type, late.code, late.last_root.path, late.last_root.live],
      ['error', 'last_root_mismatch', two, true],
    )
    assert.equal(chosen.type, 'query_complete')
    assert.deepEqual([absent.code, absent.last_root], ['last_root_mismatch', null])
    const requests = eventsOf(entry.id).flatMap(({type, content}) => (type === 'chat_request' ? [content] : []))
    assert.deepEqual(requests, ['hi', 'go on', 'from a terminal', 'chosen'])
    assert.equal(recordOf(entry.id).path, one)
  })

  it('S24, S27, FR-03: a dead record is reported, and confirmed by being sent', async () => {
    const folder = writeConversation(silo(), '17567136000', {
      events: [{timestamp: '2026-09-01 08:00:00.0', type: 'chat_request', content: 'before'}],
    })
    const kept = {
      other: [1],
      last_root: {path: join(scratch.path, 'three'), last_used: '2026-09-01T08:00:00Z', more: true},
    }
    writeFileSync(join(folder, 'metadata.local.json'), JSON.stringify(kept))
    const body = `
at = {"id": "abcde", "root": init["args"][0]}
shown = ask(type="list_conversations", workspace=at)["data"][0]["last_root"]
tell([shown, ask(type="query", id="q", conversation="17567136000", content="x", workspace=at, expected_last_root=shown)])`
    const [shown, answer] = await told(body, [two])
    assert.deepEqual(shown, {path: join(scratch.path, 'three'), last_used: '2026-09-01T08:00:00Z', live: false})
    assert.equal(answer.type, 'query_complete')
    const local = JSON.parse(readFileSync(join(folder, 'metadata.local.json'), 'utf8'))
    assert.deepEqual([local.other, local.last_root.path, local.last_root.more], [[1], two, true])
  })

  describe('a plugin that dies with three delegated turns in them', () => {
    /** Starts the three, waits until the model was asked for each, and dies. */
    const body = `
for number, root in enumerate([init["args"][0], init["args"][1], init["args"][1]]):
    say(type="query", id=str(number), new=True, content="%s %d" % (os.path.basename(root), number), workspace={"id": "abcde", "root": root})
seen = [hear() for _ in range(3)]
os.kill(os.getpid(), signal.SIGKILL)`
    const isDead = (): boolean => survivorsOf(scratch.path).length === 0
    const spy = (answers: Partial<TitleAnswers>): Promise<TitleServer> =>
      startTitleServer(
        scratch,
        {title: (content) => `{"titles": ["About ${content}"]}`, ...answers},
        'assistant.model.id = "spy/model"',
      )
    const shelfOf = (root: string): string[] => readdirSync(join(root, '.jp', 'conversations')).sort()

    it('S31, S34: the turns end, are recorded and titled in the right places, and the locks are free', async () => {
      const server = await spy({
        async turn(content) {
          await until(isDead, 'the end of the plugin')
          const titles = () => server.asked.filter((what) => what === 'title')
          await until(() => titles().length === 3, 'the requests for titles')
          return `answer to ${content}`
        },
      })
      try {
        assert.equal((await run(body, [one, two])).code, 7)
      } finally {
        server.close()
      }
      const names = readdirSync(join(silo(), 'conversations')).sort()
      const ended = names.map((name) => {
        const id = `jp-c${name.split('-')[0]}`
        const [, request, answer] = eventsOf(id) as {content?: string; message?: string}[]
        return {title: name.slice(12), request: request?.content, answer: answer?.message, root: recordOf(id).path}
      })
      const expected = [one, two, two].map((root, number) => {
        const content = `${basename(root)} ${number}`
        const title = `about-${content.replace(' ', '-')}`
        return {title, request: content, answer: `answer to ${content}`, root}
      })
      assert.deepEqual(
        ended.sort((left, right) => (left.title < right.title ? -1 : 1)),
        expected,
      )
      assert.deepEqual(
        shelfOf(one),
        names.filter((name) => name.includes('about-one')),
      )
      assert.deepEqual(
        shelfOf(two),
        names.filter((name) => name.includes('about-two')),
      )
      assert.deepEqual(readdirSync(join(silo(), 'locks')), [])
    })

    it('S31, S34: one Ctrl-C stops the turns and their titles; each keeps what it has', async () => {
      const never = new Promise<string>(() => undefined)
      const server = await spy({turn: () => never, title: () => never})
      plugins.addPython('jp-many', multi, prelude + body)
      const child = spawn(process.execPath, [launcher, ...allowing('many'), 'many', one, two], {
        cwd: scratch.folder('elsewhere'),
        env: plugins.env,
        detached: true,
        stdio: 'ignore',
      })
      try {
        await until(() => server.asked.length === 6 && isDead(), 'three turns, three titles and no plugin')
        const ended = once(child, 'close')
        child.kill('SIGINT')
        assert.deepEqual(await ended, [7, null])
      } finally {
        child.kill('SIGKILL')
        server.close()
      }
      const requests = readdirSync(join(silo(), 'conversations')).map(
        (name) => eventsOf(`jp-c${name}`)[1]?.content ?? assert.fail(name),
      )
      assert.deepEqual(requests.sort(), ['one 0', 'two 1', 'two 2'])
      assert.deepEqual(readdirSync(join(silo(), 'locks')), [])
    })
  })

  it('S14, S30: a checkout that is removed between two requests is no longer live', async () => {
    await told(
      'tell([ask(type="list_conversations", workspace={"id": "abcde", "root": root}) for root in init["args"]])',
      [one, two],
    )
    plugins.addPython(
      'jp-rm',
      {...multi, command: ['rm']},
      `${prelude}
at = {"id": "abcde", "root": init["args"][1]}
first = ask(type="list_conversations", id="a", workspace=at)
import shutil; shutil.rmtree(init["args"][1])
second = ask(type="list_conversations", id="b", workspace=at)
third = ask(type="list_conversations", id="c", workspace={"id": "abcde"})
tell([first["type"], second["code"], second["roots"], third["type"]])`,
    )
    const gone = await runJp([...allowing('rm'), 'rm', one, two], {cwd: scratch.path, env: plugins.env})
    assert.deepEqual(JSON.parse(gone.stdout), ['conversations', 'checkout_not_live', [one], 'conversations'])
    rmSync(two, {recursive: true, force: true})
  })
})
