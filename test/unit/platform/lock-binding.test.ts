import assert from 'node:assert/strict'
import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {join} from 'node:path'
import {isLocked, readHolder, tryLock, tryLockWith} from '../../../src/platform/lock.js'
import {loadLockBinding, sqliteBinding} from '../../../src/platform/lock-binding.js'
import {repository} from '../../support/jp.js'
import {createScratch, type Scratch} from '../../support/scratch.js'

const holder = {pid: process.pid, acquired_at: '2026-09-01T08:00:00Z'}

describe('the lock', () => {
  let scratch: Scratch
  beforeEach(() => {
    scratch = createScratch()
  })
  afterEach(() => scratch.remove())

  for (const [name, load] of [
    ['native', loadLockBinding],
    ['SQLite', sqliteBinding],
  ] as const) {
    it(`W19: the ${name} lock excludes a second handle, and is free after its release`, () => {
      const path = join(scratch.path, 'x.lock')
      const binding = load()
      const first = tryLockWith(binding, path, holder)
      assert.equal(first.state, 'held')
      const second = tryLockWith(binding, path, {...holder, pid: 1})
      assert.deepEqual(second, {state: 'busy', holder})
      if (first.state === 'held') first.lock.release()
      const third = tryLockWith(binding, path, holder)
      assert.equal(third.state, 'held')
      if (third.state === 'held') third.lock.release()
    })

    it(`W19, FR-22: the ${name} lock dies with its process`, async () => {
      const path = join(scratch.path, 'x.lock')
      const code = `
        import {tryLockWith} from ${JSON.stringify(join(repository, 'src/platform/lock.ts'))}
        import {loadLockBinding, sqliteBinding} from ${JSON.stringify(join(repository, 'src/platform/lock-binding.ts'))}
        const attempt = tryLockWith(${name === 'native' ? 'loadLockBinding' : 'sqliteBinding'}(), ${JSON.stringify(path)}, {pid: process.pid, acquired_at: ''})
        process.stdout.write(attempt.state)
        setInterval(() => attempt, 1000)`
      const child = spawn(
        process.execPath,
        ['--import', join(repository, 'test/support/typescript-imports.mjs'), '--input-type=module', '-e', code],
        {stdio: ['ignore', 'pipe', 'inherit']},
      )
      const [said] = (await once(child.stdout, 'data')) as [Buffer]
      assert.equal(said.toString(), 'held')
      assert.equal(tryLockWith(load(), path, holder).state, 'busy')
      child.kill('SIGKILL')
      await once(child, 'exit')
      const attempt = tryLockWith(load(), path, holder)
      assert.equal(attempt.state, 'held')
      assert.equal(readHolder(path)?.pid, process.pid)
      if (attempt.state === 'held') attempt.lock.release()
    })
  }

  it('W19: asking whether it is locked writes nothing and takes nothing', () => {
    const path = join(scratch.path, 'x.lock')
    assert.equal(isLocked(path), false)
    const attempt = tryLock(path, holder)
    assert.equal(isLocked(path), true)
    if (attempt.state === 'held') attempt.lock.release()
    assert.equal(isLocked(path), false)
  })

  it('W19, Q26: which lock it is depends on the platform alone: one that can not be loaded just now is an error', () => {
    const failing = (code: string) => () => {
      throw Object.assign(new Error('cannot open shared object file: Too many open files'), {code})
    }
    const isGlibc = JSON.stringify(process.report.getReport()).includes('glibcVersionRuntime')
    if (isGlibc)
      assert.throws(() => loadLockBinding(failing('ERR_DLOPEN_FAILED')), {
        code: 'lock_unavailable',
        message: "The file lock can't be loaded: cannot open shared object file: Too many open files.",
      })
    const path = join(scratch.path, 'x.lock')
    const attempt = tryLockWith(loadLockBinding(failing('MODULE_NOT_FOUND')), path, holder)
    assert.equal(attempt.state, 'held')
    if (attempt.state === 'held') attempt.lock.release()
  })
})
