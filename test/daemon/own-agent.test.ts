import assert from 'node:assert/strict'
import {mkdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import type {RunningDaemon} from '../../src/daemon/serve.js'
import type {Answer} from '../support/daemon.js'
import {createDaemonClient, type DaemonTestClient} from '../support/daemon-client.js'
import {chunkOf} from '../support/event-reader.js'
import {runJp} from '../support/jp.js'
import {createScratch, git, type Scratch} from '../support/scratch.js'
import {startServing, trust} from '../support/serving.js'

type Listed = {readonly id: string; readonly title: string | null; readonly last_root?: {readonly path: string}}

describe('jp serve: sessions are conversations', () => {
  let scratch: Scratch
  let daemon: RunningDaemon
  let client: DaemonTestClient
  const cwdOf = (name: string): string => join(scratch.path, name)
  beforeEach(() => {
    scratch = createScratch()
    scratch.checkout('a', 'aaaaa')
    scratch.checkout('b', 'bbbbb')
    trust(scratch, scratch.path)
    mkdirSync(cwdOf('elsewhere'))
  })
  afterEach(async () => {
    await daemon.stop()
    scratch.remove()
  })

  const start = async (...workspaces: readonly string[]): Promise<void> => {
    daemon = await startServing(scratch, {workspaces, own: true})
    client = createDaemonClient(daemon)
  }
  const jp = async (cwd: string, ...args: readonly string[]): Promise<string> => {
    const run = await runJp(args, {cwd, env: scratch.env})
    assert.equal(run.code, 0, run.stderr)
    return run.stdout
  }
  const conversations = async (cwd: string): Promise<readonly Listed[]> =>
    JSON.parse(await jp(cwd, 'c', 'ls', '-F', 'json'))
  const list = async (name: string): Promise<readonly {sessionId: string; displayName?: string}[]> =>
    (await client.ask('GET', `/workspaces/${encodeURIComponent(cwdOf(name))}/sessions`)).body['sessions']
  const load = (id: string, cwd?: string): Promise<Answer> =>
    client.ask('POST', `/session/${id}/load`, cwd === undefined ? {} : {cwd})
  const textsOf = (answer: Answer): string[] =>
    answer.body['compactedReplay']
      .map(({data}: {data: {update: {content?: {text?: string}}}}) => data.update.content?.text ?? '')
      .filter((text: string) => text !== '')

  it('D27, D31: what the daemon starts, jp c ls shows and jp query continues; and the other way round', async () => {
    await start('a', 'b')
    const session = await client.create(cwdOf('b'))
    assert.equal(await client.turn(session, 'from the daemon'), 'end_turn')
    const [first] = await conversations(cwdOf('b'))
    assert.equal(first?.last_root?.path, cwdOf('b'))
    await jp(cwdOf('b'), 'query', '--id', first?.id ?? '', 'from the terminal')
    assert.equal(await client.turn(session, 'and again'), 'end_turn', 'an idle session holds no lock')
    await client.ask('DELETE', `/session/${session}`)
    const loaded = await load(session, cwdOf('b'))
    assert.equal(loaded.status, 200)
    const said = ['from the daemon', 'from the terminal', 'and again']
    assert.equal(textsOf(loaded).join('|'), said.flatMap((text) => [text, text]).join('|'))

    await jp(cwdOf('a'), 'query', '--new', 'begun in the terminal')
    const [stored] = await list('a')
    const resumed = await client.ask('POST', `/session/${stored?.sessionId}/resume`, {cwd: cwdOf('a')})
    assert.deepEqual([resumed.status, resumed.body['attached']], [200, false])
    assert.equal(await client.turn(stored?.sessionId ?? '', 'continued here'), 'end_turn')
    const printed = await jp(cwdOf('a'), 'c', 'print', (await conversations(cwdOf('a')))[0]?.id ?? '')
    assert.match(printed, /begun in the terminal[\s\S]*continued here/)
  })

  it('D11, D27: a client wishes for an approval mode when it makes a session, and the agent is in it', async () => {
    await start('a')
    for (const [approvalMode, mode] of [
      ['plan', 'plan'],
      ['auto', 'auto'],
      ['auto-edit', 'accept-edits'],
      ['yolo', 'unattended'],
      ['default', 'ask'],
    ]) {
      const {body} = await client.ask('POST', '/session', {sessionScope: 'thread', approvalMode})
      const context = await client.ask('GET', `/session/${body['sessionId']}/context`)
      assert.equal(context.body['state'].modes.currentModeId, mode)
    }
  })

  it('W13: --cfg of the command line counts in every session of jp’s own agent, and for what the daemon reads itself', async () => {
    const prefix = 'assistant.model.parameters.stop_words'
    scratch.write('elsewhere/more.toml', '[serve.env]\nFROM_FILE = "yes"\n')
    daemon = await startServing(scratch, {
      workspaces: ['a', 'b'],
      own: true,
      cfg: ['assistant.model.id=echo/other', '@elsewhere/more.toml', `${prefix}:=["x"]`],
    })
    client = createDaemonClient(daemon)
    for (const name of ['a', 'b']) {
      const context = await client.ask('GET', `/session/${await client.create(cwdOf(name))}/context`)
      const model = context.body['state'].configOptions.find(({id}: {id: string}) => id === 'model')
      assert.equal(model.currentValue, 'echo/other')
      const pid = daemon.registry.byCwd(cwdOf(name))?.bridge.agentPid
      assert.match(readFileSync(`/proc/${pid}/environ`, 'utf8'), /\0FROM_FILE=yes\0/)
    }
  })

  it('FR-40, D13: a session of the second workspace is found there alone, after a restart too', async () => {
    await start('a', 'b')
    const session = await client.create(cwdOf('b'))
    await client.turn(session, 'kept in b')
    await daemon.stop()
    await start('a', 'b')
    for (const cwd of [cwdOf('a'), undefined]) {
      const missed = await load(session, cwd)
      assert.deepEqual([missed.status, missed.body['code']], [404, 'session_not_found'])
    }
    assert.equal(daemon.registry.runtimes.flatMap(({bridge}) => bridge.sessions).length, 0)
    assert.equal(daemon.registry.primary.bridge.agentPid, undefined, 'no child for a request that is refused')
    assert.deepEqual(textsOf(await load(session, cwdOf('b'))), ['kept in b', 'kept in b'])
  })

  it('D31: an id that a caller gave stays the id of its conversation', async () => {
    await start('a')
    const sessionId = '01234567-89ab-4cde-8f01-23456789abcd'
    const made = await client.ask('POST', '/session', {sessionId: sessionId.toUpperCase()})
    assert.deepEqual([made.status, made.body['sessionId']], [200, sessionId])
    await client.turn(sessionId, 'mine')
    assert.deepEqual(
      (await list('a')).map(({sessionId: id}) => id),
      [sessionId],
    )
    await daemon.stop()
    await start('a')
    assert.equal((await load(sessionId)).status, 200)
  })

  it('D31, D32: two worktrees never list or load each other’s sessions; one that ran elsewhere meanwhile is refused', async () => {
    const a = cwdOf('a')
    git(a, scratch.env, 'init', '-q')
    git(a, scratch.env, 'add', '-A')
    git(a, scratch.env, 'commit', '-qm', 'one')
    git(a, scratch.env, 'worktree', 'add', '-q', cwdOf('wt'))
    await start('a', 'wt')
    const session = await client.create(a)
    await client.turn(session, 'in a')
    assert.deepEqual((await list('wt')).length, 0)
    assert.equal((await load(session, cwdOf('wt'))).body['code'], 'session_workspace_conflict')
    const [entry] = await conversations(a)
    await jp(cwdOf('wt'), 'query', '--id', entry?.id ?? '', 'moved to the worktree')
    const reader = await client.read(session)
    await client.prompt(session, 'still in a?')
    const {data} = await reader.until(({type}) => type === 'turn_error')
    assert.deepEqual([data['code'], data['last_root'].path], ['last_root_mismatch', cwdOf('wt')])
    assert.equal(reader.events.map(chunkOf).join(''), '', 'nothing ran')
    reader.cut()
    await client.ask('DELETE', `/session/${session}`)
    assert.equal((await load(session, a)).status, 404)
    assert.deepEqual(
      (await list('wt')).map(({sessionId}) => sessionId),
      [session],
    )
    assert.equal((await load(session, cwdOf('wt'))).status, 200)
  })

  it('D19: lists live and stored sessions once, page by page; without stored ones, all that live', async () => {
    await start('a', 'b')
    const live = [await client.create(cwdOf('b')), await client.create(cwdOf('b'))]
    const page = (query: string) =>
      client.ask('GET', `/workspace/${daemon.registry.runtimes[1]?.workspaceId}/sessions?${query}`)
    const alone = (await page('size=1')).body
    assert.deepEqual([alone['sessions'].length, alone['nextCursor']], [2, undefined])
    for (const text of ['one', 'two', 'three']) await jp(cwdOf('b'), 'query', '--new', text)
    await client.turn(live[0] ?? '', 'four')
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const {body} = await page(`size=2${cursor === undefined ? '' : `&cursor=${cursor}`}`)
      seen.push(...body['sessions'].map(({sessionId}: {sessionId: string}) => sessionId))
      cursor = body['nextCursor']
    } while (cursor !== undefined)
    assert.equal(seen.length, 5)
    assert.equal(new Set(seen).size, 5)
    assert.equal((await page('cursor=junk')).body['code'], 'invalid_cursor')
    for (const [query, code] of [
      ['archiveState=archived', 'primary_workspace_only'],
      ['view=organized', 'primary_workspace_only'],
      ['view=organized&group=pinned', 'primary_workspace_only'],
      ['archiveState=x', 'invalid_archive_state'],
      ['view=x', 'invalid_session_view'],
      ['group=x', 'invalid_session_group_filter'],
    ]) {
      const {status, body} = await page(query ?? '')
      assert.deepEqual([status, body['code']], [400, code], query)
    }
    const byPath = await client.ask('GET', `/workspaces/${encodeURIComponent(`${cwdOf('b')}/../b/`)}/sessions`)
    assert.equal(byPath.body['sessions'].length, 5)
    for (const selector of ['nope', encodeURIComponent(cwdOf('b/sub')), 'bbbbb']) {
      const {status, body} = await client.ask('GET', `/workspaces/${selector}/sessions`)
      assert.deepEqual([status, body['code']], [400, 'workspace_mismatch'], selector)
    }
  })

  it('D22: the primary archives, restores, orders, exports and removes what it stores', async () => {
    await start('a', 'b')
    await jp(cwdOf('a'), 'query', '--new', '<b>hello</b>')
    const [stored] = await list('a')
    const id = stored?.sessionId ?? ''
    const bulk = async (what: string) => (await client.ask('POST', `/sessions/${what}`, {sessionIds: [id]})).body
    const archivedList = async () =>
      (await client.ask('GET', `/workspace/${daemon.registry.primary.workspaceId}/sessions?archiveState=archived`))
        .body['sessions']
    assert.deepEqual(await bulk('archive'), {archived: [id], alreadyArchived: [], notFound: [], errors: []})
    assert.deepEqual(await bulk('archive'), {archived: [], alreadyArchived: [id], notFound: [], errors: []})
    assert.deepEqual([(await list('a')).length, (await archivedList()).length], [0, 1])
    assert.deepEqual([(await load(id)).status, (await load(id)).body['code']], [409, 'conversation_archived'])
    assert.equal((await client.ask('POST', '/session', {sessionId: id})).body['code'], 'session_id_conflict')
    assert.deepEqual(await bulk('unarchive'), {unarchived: [id], alreadyActive: [], notFound: [], errors: []})

    const groups = `/workspace/${encodeURIComponent(cwdOf('a'))}/session-groups`
    const {group} = (await client.ask('POST', groups, {name: 'Work', color: 'blue'})).body
    const placed = await client.ask('PATCH', `/session/${id}/organization`, {
      isPinned: true,
      groupId: group.id,
      color: 'red',
    })
    assert.deepEqual([placed.body['isPinned'], placed.body['groupId'], placed.body['color']], [true, group.id, 'red'])
    assert.equal(
      (await client.ask('PATCH', `/session/${id}/organization`, {groupId: 'no'})).body['code'],
      'group_not_found',
    )
    const organized = async (filter: string) =>
      (
        await client.ask(
          'GET',
          `/workspace/${daemon.registry.primary.workspaceId}/sessions?view=organized&group=${filter}`,
        )
      ).body
    for (const filter of ['all', 'pinned', group.id])
      assert.equal((await organized(filter))['sessions'].length, 1, filter)
    assert.equal((await organized('ungrouped'))['sessions'].length, 0)
    assert.equal((await organized('nope'))['code'], 'group_not_found')
    assert.match(await jp(cwdOf('a'), 'c', 'ls', '-F', 'json'), /"pinned_at"/)
    assert.equal((await client.ask('DELETE', `${groups}/${group.id}`)).status, 200)
    assert.equal((await organized('ungrouped'))['sessions'].length, 1)

    const html = await fetch(`${daemon.url}/session/${id}/export`, {
      headers: {authorization: 'Bearer token-of-this-test'},
    })
    assert.match(html.headers.get('content-disposition') ?? '', new RegExp(`filename="${id}\\.html"`))
    assert.match(await html.text(), /&lt;b&gt;hello&lt;\/b&gt;/)
    const json = (await client.ask('GET', `/session/${id}/export?format=json`)).body
    assert.equal(json['events'].find(({type}: {type: string}) => type === 'chat_request').content, '<b>hello</b>')
    assert.equal((await client.ask('GET', `/session/${id}/export?format=pdf`)).body['code'], 'invalid_format')

    await load(id)
    assert.equal((await bulk('delete'))['errors'].length, 1, 'a live session is not removed')
    await client.ask('DELETE', `/session/${id}`)
    assert.deepEqual(await bulk('delete'), {removed: [id], notFound: [], errors: []})
    assert.deepEqual(await bulk('delete'), {removed: [], notFound: [id], errors: []})
    assert.deepEqual(await conversations(cwdOf('a')), [])
  })

  it('D15, D22: branch and fork make sessions that count; rewind takes turns back for the model', async () => {
    daemon = await startServing(scratch, {workspaces: ['a'], own: true, flags: {'max-sessions': '3'}})
    client = createDaemonClient(daemon)
    const session = await client.create(cwdOf('a'))
    assert.equal((await client.ask('POST', `/session/${session}/branch`, {})).status, 404, 'nothing is stored yet')
    for (const text of ['one', 'two', 'three']) await client.turn(session, text)
    const branch = await client.ask('POST', `/session/${session}/branch`, {name: 'A branch'})
    assert.equal(branch.status, 200)
    assert.deepEqual([branch.body['displayName'], branch.body['forkedFrom'].sessionId], ['A branch', session])
    assert.equal(await client.turn(branch.body['sessionId'], 'four'), 'end_turn')
    const fork = await client.ask('POST', `/session/${session}/fork`, {directive: 'look around'})
    assert.deepEqual([fork.status, fork.body['launched']], [200, true])
    const full = await client.ask('POST', `/session/${session}/branch`, {})
    assert.deepEqual([full.status, full.body['code']], [503, 'session_limit_exceeded'])
    assert.equal((await conversations(cwdOf('a'))).length, 3, 'a branch that was refused leaves nothing')

    const {body} = await client.ask('GET', `/session/${session}/rewind/snapshots`)
    assert.deepEqual(
      body['snapshots'].map(({text}: {text: string}) => text),
      ['one', 'two', 'three'],
    )
    const back = {promptId: body['snapshots'][1].promptId}
    assert.equal((await client.ask('POST', `/session/${session}/rewind`, {...back, rewindFiles: true})).status, 501)
    const rewound = await client.ask('POST', `/session/${session}/rewind`, back)
    assert.deepEqual([rewound.status, rewound.body['targetTurnIndex']], [200, 1])
    assert.equal((await client.ask('POST', `/session/${session}/rewind`, {promptId: 'no'})).status, 400)
    assert.equal(await client.turn(session, 'instead'), 'end_turn')
  })

  it('D10, W21: an agent that is killed in mid-turn: what was acknowledged comes back with load, and the next one works', async () => {
    const script = JSON.stringify([
      {tool_call: {id: 't', name: 'note', arguments: {}}},
      {text: 'begun '},
      {delay_ms: 60_000},
      {text: 'never'},
    ])
    daemon = await startServing(scratch, {
      workspaces: ['a', 'b'],
      own: true,
      env: {JP_ECHO_SCRIPT: scratch.write('script.json', script)},
    })
    const note =
      '[conversation.tools.note]\nsource = "local"\nrun = "unattended"\ncommand = {program = "echo", args = ["noted"]}\n'
    scratch.write('home/.config/jp/config.toml', `assistant.model.id = "echo/echo"\n${note}`)
    client = createDaemonClient(daemon)
    const [dying, elsewhere] = [await client.create(cwdOf('a')), await client.create(cwdOf('b'))]
    const reader = await client.read(dying)
    await client.prompt(dying, 'remember this')
    // The model goes on when the result of its call is stored.
    await reader.until((event) => chunkOf(event) === 'begun ')
    process.kill(daemon.registry.primary.bridge.agentPid ?? 0, 'SIGKILL')
    await reader.done
    assert.deepEqual(
      reader.events.slice(-2).map(({type}) => type),
      ['turn_error', 'session_died'],
    )
    assert.equal((await client.ask('GET', `/session/${elsewhere}/status`)).status, 200)
    const loaded = await load(dying)
    assert.equal(loaded.status, 200)
    assert.equal(textsOf(loaded)[0], 'remember this')
    assert.match(JSON.stringify(loaded.body['compactedReplay']), /noted/)
    assert.equal((await client.ask('DELETE', `/session/${dying}`)).status, 204)
  })

  it('D10, D26: a workspace whose configuration breaks while it is served harms no other', async () => {
    await start('a', 'b')
    const session = await client.create(cwdOf('b'))
    await client.turn(session, 'hi')
    scratch.write('a/.jp/config.toml', 'this is = not [toml\n')
    const broken = await client.ask('POST', '/session', {cwd: cwdOf('a')})
    assert.deepEqual([broken.status, broken.body['code']], [500, 'config_malformed'])
    assert.equal(JSON.stringify(broken.body).includes('config.toml'), false, 'the log says where')
    const bulk = await client.ask('POST', '/sessions/delete', {sessionIds: [session]})
    assert.deepEqual([bulk.status, bulk.body['errors'].length], [200, 1], 'each of many is told what became of it')
    assert.equal(await client.turn(session, 'still here'), 'end_turn')
  })
})
