import assert from 'node:assert/strict'
import {createHash} from 'node:crypto'
import {parseSessionId, type SessionId} from '../../../src/conversation/session-id.js'
import type {LiveSession} from '../../../src/daemon/live-session.js'
import {createOwnerIndex} from '../../../src/daemon/owner-index.js'
import {createRegistry, workspaceIdOf} from '../../../src/daemon/registry.js'
import type {WorkspaceRuntime} from '../../../src/daemon/runtime.js'
import {hasCode} from '../../../src/errors/jp-error.js'

const idNamed = (digit: string): SessionId => {
  const id = parseSessionId(`${digit.repeat(8)}-0000-4000-8000-000000000000`)
  assert.ok(id !== undefined)
  return id
}

/** A runtime whose bridge holds these ids; it counts how often it is asked. */
const createRuntime = (name: string, ids: Set<SessionId>) => {
  let asked = 0
  const runtime = {
    workspaceId: name,
    workspaceCwd: `/ws/${name}`,
    primary: name === 'a',
    trusted: true,
    bridge: {
      find: (id: SessionId) => {
        asked += 1
        return ids.has(id) ? ({id} as LiveSession) : undefined
      },
    },
  } as unknown as WorkspaceRuntime
  return {runtime, ids, asked: () => asked}
}

describe('owner index', () => {
  const id = idNamed('1')

  it('D14: verifies an entry against the runtime before it is used, and drops a stale one', () => {
    const [a, b] = [createRuntime('a', new Set([id])), createRuntime('b', new Set<SessionId>())]
    const index = createOwnerIndex([a.runtime, b.runtime])
    index.add(id, a.runtime)
    assert.deepEqual(index.resolve(id), {kind: 'found', runtime: a.runtime})
    assert.equal(b.asked(), 0, 'a hit asks nobody else')
    a.ids.delete(id)
    assert.deepEqual(index.resolve(id), {kind: 'not_found'})
    b.ids.add(id)
    assert.deepEqual(index.resolve(id), {kind: 'found', runtime: b.runtime})
  })

  it('D14: a scan that finds one remembers it', () => {
    const [a, b] = [createRuntime('a', new Set<SessionId>()), createRuntime('b', new Set([id]))]
    const index = createOwnerIndex([a.runtime, b.runtime])
    assert.deepEqual(index.resolve(id), {kind: 'found', runtime: b.runtime})
    const before = a.asked()
    assert.deepEqual(index.resolve(id), {kind: 'found', runtime: b.runtime})
    assert.equal(a.asked(), before)
  })

  it('D12: two owners of one id fail closed, also when the index knew one of them', () => {
    const [a, b] = [createRuntime('a', new Set([id])), createRuntime('b', new Set([id]))]
    const registry = createRegistry([a.runtime, b.runtime])
    registry.owners.add(id, a.runtime)
    registry.owners.add(id, b.runtime)
    assert.throws(
      () => registry.ownerOf(id),
      (error) => hasCode(error, 'session_owner_ambiguous'),
    )
    b.ids.delete(id)
    registry.owners.remove(id, b.runtime)
    assert.equal(registry.ownerOf(id), a.runtime)
  })

  it('D6: a runtime is named by the first 16 digits of the hash of its canonical path', () => {
    assert.equal(workspaceIdOf('/ws/a'), createHash('sha256').update('/ws/a').digest('hex').slice(0, 16))
  })

  it('D7, D12: a miss is never the primary; lookups are exact', () => {
    const a = createRuntime('a', new Set<SessionId>())
    const registry = createRegistry([a.runtime])
    for (const text of [id, 'nonsense', '']) {
      assert.throws(
        () => registry.ownerOf(text),
        (error) => hasCode(error, 'session_not_found'),
      )
    }
    assert.equal(registry.resolveWorkspaceCwd(undefined), a.runtime)
    for (const cwd of ['/ws', '/ws/a/sub', '/ws/aa']) {
      assert.throws(
        () => registry.resolveWorkspaceCwd(cwd),
        (error) => hasCode(error, 'workspace_mismatch'),
      )
    }
    assert.equal(registry.byId('a'), a.runtime)
    assert.equal(registry.byId(''), undefined)
  })
})
