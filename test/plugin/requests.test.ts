import assert from 'node:assert/strict'
import {existsSync, readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {runJp} from '../support/jp.js'
import {writeConversation} from '../support/plant-conversation.js'
import {allowing, createPluginFolder, type PluginFolder} from '../support/plugins.js'
import {startOnTerminal} from '../support/pty.js'
import {createScratch, type Scratch} from '../support/scratch.js'
import {assertTranscript, playerBody, readTranscript} from '../support/transcript.js'

const chat = (content: string) => ({timestamp: '2026-09-01 08:00:00.0', type: 'chat_request', content})

describe('what a single-scope plugin asks', () => {
  let scratch: Scratch
  let plugins: PluginFolder
  let root: string
  let silo: string
  beforeEach(() => {
    scratch = createScratch()
    plugins = createPluginFolder(scratch)
    root = scratch.checkout('work', 'abcde')
    silo = join(scratch.data, 'workspace', 'work-abcde')
  })
  afterEach(() => scratch.remove())

  const jp = (...args: string[]) => runJp(args, {cwd: root, env: plugins.env})

  it('P17, P18, S13, S26, S35: the golden transcript of data requests', async () => {
    const first = writeConversation(silo, '17567136000-first', {
      metadata: {title: 'First', pinned_at: '2026-09-02 08:00:00.5'},
      events: [
        {timestamp: '2026-09-01 08:00:00.0', type: 'turn_start'},
        chat('list é漢🟢'),
        {
          timestamp: '2026-09-01 08:00:02.25',
          type: 'tool_call_request',
          id: 'c1',
          name: 'ls',
          arguments: {dir: 'c3Jj', depth: 1},
        },
        {timestamp: '2026-09-01 08:00:03.123456789', type: 'from_the_future', x: {b: 1, a: 2}},
      ],
    })
    writeFileSync(
      join(first, 'metadata.local.json'),
      JSON.stringify({last_root: {path: '/gone', last_used: '2026-09-01T08:00:00Z'}}),
    )
    writeConversation(silo, '17567136001', {events: [chat('hi')]})
    scratch.write('work/.jp/config.toml', 'assistant.name = "Ada"\nconfig_load_paths = [".jp/config"]\n')
    scratch.write('work/.jp/config/skill/review.toml', 'assistant.name = "Reviewer"\n')
    const lines = readTranscript('data', {ROOT: root})
    const heard = join(scratch.path, 'heard')
    plugins.addPython('jp-golden', {command: ['golden']}, playerBody(lines, heard))
    const run = await jp(...allowing('golden'), 'golden')
    assert.deepEqual(run, {code: 0, stdout: '', stderr: ''})
    assertTranscript(lines, heard)
    assert.ok(existsSync(join(silo, 'conversations', '17567136001-second-thoughts')), 'a title renames the folder')
    assert.deepEqual(readdirSync(join(silo, 'conversations', '.archive')), ['17567136000'])
    assert.deepEqual(readdirSync(join(silo, 'locks')), [])
  })

  it('P17, P18, S27, S35: the golden transcript of turns', async () => {
    writeConversation(silo, '17567136000', {events: [chat('before')]})
    scratch.write('home/.config/jp/config.toml', 'assistant.model.id = "echo/echo"\n')
    const lines = readTranscript('turns', {ROOT: root})
    const heard = join(scratch.path, 'heard')
    plugins.addPython('jp-golden', {command: ['golden'], protocol: 11}, playerBody(lines, heard))
    assert.deepEqual(await jp(...allowing('golden'), 'golden'), {code: 0, stdout: '', stderr: ''})
    assertTranscript(lines, heard)
  })

  it('P17, S10, S12, S14, S17, S27: the golden transcript of protocol 12, multi scope', async () => {
    plugins.addShell('jp-touch', {command: ['touch']}, `read -r i; echo '{"type":"exit","code":0}'`)
    assert.equal((await jp(...allowing('touch'), 'touch')).code, 0)
    writeConversation(silo, '17567136000', {events: [chat('before')]})
    scratch.write('home/.config/jp/config.toml', 'assistant.model.id = "echo/echo"\n')
    scratch.write('work/.jp/config.toml', 'assistant.name = "Ada"\n')
    const lines = readTranscript('multi', {ROOT: root})
    const heard = join(scratch.path, 'heard')
    const manifest = {command: ['golden'], protocol: 12, workspace_scope: 'multi'}
    plugins.addPython('jp-golden', manifest, playerBody(lines, heard))
    const outside = {cwd: scratch.folder('outside'), env: plugins.env}
    assert.deepEqual(await runJp([...allowing('golden'), 'golden'], outside), {code: 0, stdout: '', stderr: ''})
    assertTranscript(lines, heard)
  })

  it('S30: a conversation that another process wrote a moment ago is in the next answer', async () => {
    plugins.addPython(
      'jp-fresh',
      {command: ['fresh']},
      `
def ask():
    print(json.dumps({"type": "list_conversations", "id": "x"}), flush=True)
    return [entry["id"] for entry in json.loads(sys.stdin.readline())["data"]]
sys.stdin.readline()
before = ask()
folder = os.path.join(${JSON.stringify(silo)}, "conversations", "17567136009")
os.makedirs(folder)
open(os.path.join(folder, "events.json"), "w").write("[]")
open(os.path.join(folder, "metadata.json"), "w").write('{"last_activated_at": "2026-09-01 08:00:00.0"}')
print(json.dumps({"type": "print", "text": json.dumps([before, ask()])}), flush=True)
print(json.dumps({"type": "exit", "code": 0}), flush=True)`,
    )
    const run = await jp(...allowing('fresh'), 'fresh')
    assert.deepEqual(JSON.parse(run.stdout), [[], ['jp-c17567136009']])
  })

  it('P18: requests without an id are answered in order, also many at once', async () => {
    plugins.addPython(
      'jp-many',
      {command: ['many']},
      `
sys.stdin.readline()
for i in range(500): print(json.dumps({"type": "read_config", "path": "assistant.name"} if i % 2 else {"type": "list_conversations"}))
sys.stdout.flush()
kinds = [json.loads(sys.stdin.readline())["type"] for _ in range(500)]
print(json.dumps({"type": "print", "text": str(kinds == ["conversations", "config"] * 250)}))
print(json.dumps({"type": "exit", "code": 0}), flush=True)`,
    )
    const run = await jp(...allowing('many'), '-c', 'assistant.name=x', 'many')
    assert.deepEqual(run, {code: 0, stdout: 'True', stderr: ''})
  })

  it('facts 5.6: read_config keeps what the launch read until "reload"; a reload that fails keeps the last good one', async () => {
    const file = scratch.write('work/.jp/config.toml', 'assistant.name = "one"\n')
    plugins.addPython(
      'jp-conf',
      {command: ['conf']},
      `
def ask(**more):
    print(json.dumps(dict(type="read_config", id="x", path="assistant.name", **more)), flush=True)
    answer = json.loads(sys.stdin.readline())
    return answer.get("data", answer.get("code"))
def write(text): open(${JSON.stringify(file)}, "w").write(text)
sys.stdin.readline()
seen = [ask()]
write('assistant.name = "two"'); seen += [ask(), ask(reload=True), ask()]
write('assistant.name = = 1'); seen += [ask(reload=True), ask()]
print(json.dumps({"type": "print", "text": json.dumps(seen)}))
print(json.dumps({"type": "exit", "code": 0}), flush=True)`,
    )
    const run = await jp(...allowing('conf'), 'conf')
    assert.deepEqual(JSON.parse(run.stdout), ['one', 'one', 'two', 'two', 'config_malformed', 'two'])
  })

  it('facts 5.6: the draft of a conversation that came with the checkout is kept beside its durable copy, never in the checkout', async () => {
    writeConversation(join(root, '.jp'), '17567136000', {events: [chat('hi')]})
    const draft = '{"type":"write_draft","id":"1","conversation":"17567136000","content":"secret"}'
    plugins.addShell(
      'jp-draft',
      {command: ['draft']},
      `read -r i; echo '${draft}'; read -r a; printf '%s\\n' "$a" >"$HOME/answer"; echo '{"type":"exit","code":0}'`,
    )
    const run = await jp(...allowing('draft'), 'draft')
    assert.equal(run.code, 0, run.stderr)
    assert.equal(JSON.parse(readFileSync(join(scratch.home, 'answer'), 'utf8')).content, 'secret')
    const stored = join(silo, 'conversations', '17567136000', 'QUERY_MESSAGE.md')
    assert.deepEqual([readFileSync(stored, 'utf8'), statSync(stored).mode & 0o777], ['secret', 0o600])
    assert.deepEqual(readdirSync(join(root, '.jp', 'conversations', '17567136000')).sort(), [
      'events.json',
      'metadata.json',
    ])
  })

  it('facts 2.11: what stands below the marker is no part of the draft, and changes its revision', async () => {
    const folder = writeConversation(silo, '17567136000', {events: [chat('hi')]})
    const line = '-'.repeat(39)
    const marker = `${line}8<${line}\n${'-'.repeat(21)} EVERYTHING BELOW THIS LINE IS IGNORED ${'-'.repeat(20)}\n${line}>8${line}\n`
    const file = join(folder, 'QUERY_MESSAGE.md')
    plugins.addShell(
      'jp-draft',
      {command: ['draft']},
      `read -r i; echo '{"type":"read_draft","id":"1","conversation":"17567136000"}'; read -r a; printf '%s\\n' "$a" >"$HOME/answer"; echo '{"type":"exit","code":0}'`,
    )
    const read = async () => {
      await jp(...allowing('draft'), 'draft')
      return JSON.parse(readFileSync(join(scratch.home, 'answer'), 'utf8'))
    }
    writeFileSync(file, `words\n\n${marker}# Active Configuration\n`)
    const first = await read()
    writeFileSync(file, `words\n\n${marker}# Active Configuration, another\n`)
    const second = await read()
    assert.deepEqual([first.content, second.content], ['words', 'words'])
    assert.notEqual(first.revision, second.revision)
    assert.equal(statSync(file).isFile(), true)
  })

  it('P17: compose asks on the terminal, one question at a time; nothing else is answered meanwhile', async () => {
    plugins.addPython(
      'jp-ask',
      {command: ['ask']},
      `
def ask(mode):
    print(json.dumps({"type": "compose", "id": "x", "message": "Tell me " + mode["kind"], "mode": mode}), flush=True)
    return json.loads(sys.stdin.readline())
sys.stdin.readline()
options = [{"value": "a", "label": "Apple"}, {"value": "b", "label": "Pear"}]
line = ask({"kind": "line", "default": "d"})
select = ask({"kind": "select", "options": options, "default": "b"})
many = ask({"kind": "multi_select", "options": options})
print(json.dumps({"type": "print", "text": json.dumps([line["text"], select["text"], many["values"]]) + "\\n"}))
print(json.dumps({"type": "exit", "code": 0}), flush=True)`,
    )
    const run = startOnTerminal([...allowing('ask'), 'ask'], {cwd: root, env: plugins.env})
    await run.waitFor('Tell me line')
    run.type('hello\r')
    await run.waitFor('Tell me select')
    run.type('\r')
    await run.waitFor('Tell me multi_select')
    run.type(' \r')
    await run.waitFor('["hello", "b", ["a"]]')
    assert.equal(await run.exited, 0)
  })

  it('P17: compose of a buffer opens the editor of jp query; one that fails is a correlated error; without one a line is asked', async () => {
    const editor = plugins.add('an-editor', '#!/bin/sh\ntest "$1" = fail && exit 3\necho "$1" >>"$2"\n')
    plugins.addPython(
      'jp-ask',
      {command: ['ask']},
      `
sys.stdin.readline()
print(json.dumps({"type": "compose", "id": "x", "message": "Tell me", "mode": {"kind": "buffer", "initial_text": "first\\n"}}), flush=True)
answer = json.loads(sys.stdin.readline())
print(json.dumps({"type": "print", "text": json.dumps([answer.get("text"), answer.get("code"), answer["id"]]) + "\\n"}))
print(json.dumps({"type": "exit", "code": 0}), flush=True)`,
    )
    const cases = [
      [['-c', `editor.cmd=${editor} configured`], '["first\\nconfigured\\n", null, "x"]'],
      [[], '["first\\nvariable\\n", null, "x"]'],
      [['-c', `editor.cmd=${editor} fail`], '[null, "child_failed", "x"]'],
    ] as const
    const env = {...plugins.env, EDITOR: `${editor} variable`}
    for (const [flags, expected] of cases) {
      const run = startOnTerminal([...allowing('ask'), ...flags, 'ask'], {cwd: root, env})
      await run.waitFor('Tell me')
      await run.waitFor(expected)
      assert.equal(await run.exited, 0)
    }
    const run = startOnTerminal([...allowing('ask'), 'ask'], {cwd: root, env: plugins.env})
    await run.waitFor('(first')
    run.type('by hand\r')
    await run.waitFor('["by hand", null, "x"]')
    assert.equal(await run.exited, 0)
  })
})
