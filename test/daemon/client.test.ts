import assert from 'node:assert/strict'
import {join} from 'node:path'
import {DaemonClient, type DaemonEvent, DaemonHttpError, DaemonSessionClient} from '@qwen-code/sdk/daemon'
import type {RunningDaemon} from '../../src/daemon/serve.js'
import {until} from '../support/processes.js'
import {createScratch, type Scratch} from '../support/scratch.js'
import {servingToken, startServing, trust} from '../support/serving.js'

const text = (content: string) => ({prompt: [{type: 'text' as const, text: content}]})

describe('jp serve: the real client', () => {
  let scratch: Scratch
  let daemon: RunningDaemon
  let client: DaemonClient
  const cwdOf = (name: string): string => join(scratch.path, name)
  const start = async (workspaces: readonly string[]): Promise<void> => {
    daemon = await startServing(scratch, {workspaces})
    client = new DaemonClient({baseUrl: daemon.url, token: servingToken, fetchTimeoutMs: 20_000})
  }
  beforeEach(() => {
    scratch = createScratch()
    scratch.checkout('a', 'aaaaa')
    scratch.checkout('b', 'bbbbb')
    trust(scratch, scratch.path)
  })
  afterEach(async () => {
    await daemon.stop()
    scratch.remove()
  })

  const codeOf = async (work: Promise<unknown>): Promise<readonly [number, unknown]> => {
    try {
      await work
    } catch (error) {
      assert.ok(error instanceof DaemonHttpError)
      return [error.status, (error.body as {code?: unknown}).code]
    }
    throw new assert.AssertionError({message: 'it was answered'})
  }
  const gather = (session: DaemonSessionClient): {events: DaemonEvent[]; done: Promise<void>} => {
    const events: DaemonEvent[] = []
    const done = (async () => {
      for await (const event of session.events()) events.push(event)
    })()
    return {events, done}
  }

  it('D4, D20: one workspace looks as a single-workspace daemon always did', async () => {
    await start(['a'])
    const capabilities = await client.capabilities()
    assert.equal(capabilities.workspaceCwd, cwdOf('a'))
    assert.equal(capabilities.workspaces, undefined)
    assert.equal(capabilities.features.includes('multi_workspace_sessions'), false)
    assert.equal(capabilities.limits?.maxTotalSessions, undefined)
    const session = await DaemonSessionClient.createOrAttach(client, {})
    assert.equal(session.workspaceCwd, cwdOf('a'))
    assert.equal((await session.prompt(text('hi'))).stopReason, 'end_turn')
    await session.close()
  })

  it('D11, D12, D16, D17: sessions of two workspaces stream, queue and end apart', async () => {
    await start(['a', 'b'])
    assert.equal((await client.health()).status, 'ok')
    const capabilities = await client.capabilities()
    assert.ok(capabilities.features.includes('multi_workspace_sessions'))
    const [a, b] = await Promise.all(
      ['a', 'b'].map((name) => DaemonSessionClient.createOrAttach(client, {workspaceCwd: cwdOf(name)})),
    )
    assert.ok(a !== undefined && b !== undefined)
    const [inA, inB] = [gather(a), gather(b)]
    assert.equal((await a.prompt(text('[[chunks:20]]'))).stopReason, 'end_turn')
    assert.equal((await client.prompt(b.sessionId, text('hello b'), undefined, b.clientId)).stopReason, 'end_turn')
    const slow = a.prompt(text('[[slow:60000]]'))
    const waiting = await a.submitPrompt(text('never'))
    assert.equal((await a.getPendingPrompts()).pendingPrompts.length, 2)
    assert.equal('promptId' in waiting && (await a.removePendingPrompt(waiting.promptId)).removed, true)
    await a.cancel()
    assert.equal((await slow).stopReason, 'cancelled')
    await Promise.all([a.close(), b.close()])
    await Promise.all([inA.done, inB.done])
    for (const [session, {events}] of [
      [a, inA],
      [b, inB],
    ] as const) {
      const ids = events.flatMap(({id}) => (id === undefined ? [] : [id]))
      assert.deepEqual(
        ids,
        Array.from({length: ids.length}, (_, at) => at + 1),
      )
      assert.ok(
        events.every(
          ({data}) =>
            (data as {sessionId?: string}).sessionId === session.sessionId || 'replayedCount' in (data as object),
        ),
      )
      assert.equal(events.at(-1)?.type, 'session_closed')
    }
  })

  it('D21: the status sums over the workspaces, and describes the primary alone', async () => {
    await start(['a', 'b'])
    const sessions = await Promise.all(
      ['a', 'b', 'b'].map((name) => client.createOrAttachSession({workspaceCwd: cwdOf(name), sessionScope: 'thread'})),
    )
    await client.prompt(sessions[1]?.sessionId ?? '', text('hi'))
    await assert.rejects(client.prompt(sessions[1]?.sessionId ?? '', text('[[error]]')))
    const stats = await client.sessionStats(sessions[1]?.sessionId ?? '')
    const [model] = Object.values(stats.models)
    assert.deepEqual([model?.api.totalRequests, model?.api.totalErrors], [2, 1])
    const summary = await client.daemonStatus('summary')
    const {workspaces} = await client.capabilities()
    assert.deepEqual(summary.workspaces, workspaces)
    assert.equal(summary.runtime.sessions.active, 3)
    assert.equal(summary.limits.maxTotalSessions, 64)
    assert.equal('full' in summary, false)
    const full = (await client.daemonStatus('full')) as unknown as {
      full: {workspace: {cwd: string; sessions: unknown[]}}
    }
    assert.deepEqual([full.full.workspace.cwd, full.full.workspace.sessions.length], [cwdOf('a'), 1])
    assert.deepEqual(await codeOf(client.daemonStatus('all' as 'full')), [400, 'invalid_detail'])
  })

  it('D12, D13, D18: refusals reach the client as it knows them', async () => {
    await start(['a', 'b'])
    const session = await DaemonSessionClient.createOrAttach(client, {workspaceCwd: cwdOf('b')})
    const {events} = gather(session)
    assert.deepEqual(await codeOf(client.createOrAttachSession({workspaceCwd: cwdOf('c')})), [
      400,
      'workspace_mismatch',
    ])
    assert.deepEqual(await codeOf(client.heartbeat(session.sessionId, 'client_other')), [400, 'invalid_client_id'])
    const turn = session.prompt(text('[[tool:shell x]]'))
    const asked = (): DaemonEvent | undefined => events.find(({type}) => type === 'permission_request')
    await until(() => asked() !== undefined, 'the permission request')
    const {requestId} = (asked()?.data ?? {requestId: ''}) as {requestId: string}
    const yes = {outcome: {outcome: 'selected' as const, optionId: 'proceed_once'}}
    assert.equal(await client.respondToPermission(requestId, yes), false, 'the primary does not have it')
    assert.equal(await session.respondToSessionPermission(requestId, yes), true)
    assert.equal(await session.respondToSessionPermission(requestId, yes), false)
    assert.equal((await turn).stopReason, 'end_turn')
    assert.deepEqual(await codeOf(client.loadSession(session.sessionId, {workspaceCwd: cwdOf('a')})), [
      409,
      'session_workspace_conflict',
    ])
    await session.close()
    await session.close()
    const loaded = await DaemonSessionClient.load(client, session.sessionId, {workspaceCwd: cwdOf('b')})
    assert.equal(loaded.replaySnapshotComplete, true)
    await loaded.detach()
    assert.deepEqual(await codeOf(client.sessionStatus(session.sessionId)), [404, 'session_not_found'])
  })
})
