import assert from 'node:assert/strict'
import {type ChildProcess, spawn} from 'node:child_process'
import {once} from 'node:events'
import {readdirSync} from 'node:fs'
import {join} from 'node:path'
import {createInterface} from 'node:readline'
import {setTimeout as delay} from 'node:timers/promises'
import {locksDirectory} from '../../src/conversation/conversation-locks.js'
import {conversationRoots} from '../../src/conversation/conversation-roots.js'
import {tidyAfterDead} from '../../src/conversation/tidy.js'
import {openTestStore} from '../support/conversations.js'
import {seed} from '../support/fuzz.js'
import {repository} from '../support/jp.js'
import {until} from '../support/processes.js'
import {createScratch, type Scratch} from '../support/scratch.js'

const isSoak = process.env['JP_SOAK'] === '1'
const kills = isSoak ? 300 : 30
const writers = isSoak ? 8 : 4

/** Numbers from a seed, so that a run can be had again as far as the scheduler lets it. */
const createRandom = (start: number) => {
  let state = start
  return (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((state / 2 ** 31) * below)
  }
}

describe(`kill -9 under load (seed ${seed}, ${kills} kills, ${writers} writers)`, () => {
  let scratch: Scratch
  beforeEach(() => {
    scratch = createScratch()
  })
  afterEach(() => scratch.remove())

  it('Q25, W18, W19, FR-22: no acknowledged event is lost, nothing is half written, and the next writer is in at once', async function () {
    this.timeout(isSoak ? 600_000 : 300_000)
    const random = createRandom(seed)
    const root = scratch.checkout('app', 'a1b2c')
    const silo = scratch.folder('silo')
    const store = openTestStore({root, silo})
    const ids = Array.from({length: 4}, () => {
      const held = store.create({title: 'Start'})
      held.append([{type: 'turn_start'}])
      held.release()
      return held.id
    })
    const acknowledged: string[] = []
    const errors: string[] = []
    let started = 0
    const start = (mode: 'write' | 'read'): {child: ChildProcess; ready: Promise<unknown>} => {
      const file = join(import.meta.dirname, '..', 'support', 'store-spinner.ts')
      const imports = join(repository, 'test/support/typescript-imports.mjs')
      const child = spawn(process.execPath, ['--import', imports, file, mode, root, silo, `w${started++}`, ...ids], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const lines = createInterface({input: child.stdout})
      const ready = new Promise((settle) => {
        lines.on('line', (line) => {
          if (line === 'ready') settle(undefined)
          else (line.startsWith('error ') ? errors : acknowledged).push(line)
        })
      })
      return {child, ready}
    }
    const readers = [start('read'), start('read')]
    const running = Array.from({length: writers}, () => start('write'))
    await Promise.all([...readers, ...running].map(({ready}) => ready))
    for (let kill = 0; kill < kills; kill++) {
      // However slow the machine: there is something to lose at every kill.
      await until(() => acknowledged.length > kill || errors.length > 0, 'another acknowledged write', 60_000)
      // A random point of whatever it is doing: this delay is the case.
      await delay(random(60))
      const victim = running.splice(random(running.length), 1)[0]
      victim?.child.kill('SIGKILL')
      if (victim !== undefined) await once(victim.child, 'close')
      // Those that start meanwhile are killed too, at whatever they are.
      running.push(start('write'))
      await running[0]?.ready
    }
    await Promise.all(running.map(({ready}) => ready))
    for (const {child} of [...running, ...readers]) {
      child.kill('SIGKILL')
      await once(child, 'close')
    }
    assert.deepEqual(errors, [])
    assert.ok(acknowledged.length >= kills, `${acknowledged.length} writes`)

    // Every lock of the dead is free for the next writer, who does not wait for it.
    for (const id of ids) {
      const held = store.lock(id)
      held.append([{type: 'chat_response', message: 'after'}])
      held.release()
    }
    const stored = new Map(
      ids.map((id) => [
        id as string,
        store.read(id).events.flatMap(({known}) => (known?.type === 'chat_request' ? [known.content] : [])),
      ]),
    )
    for (const line of acknowledged) {
      const [id = '', content = ''] = line.split(' ')
      assert.equal(stored.get(id)?.filter((other) => other === content).length, 1, line)
    }
    for (const contents of stored.values()) assert.equal(new Set(contents).size, contents.length)
    const listed = store.list()
    assert.deepEqual([listed.entries.length, listed.corrupt], [ids.length, []])

    const roots = conversationRoots(root, silo)
    tidyAfterDead(roots, locksDirectory(root, silo), {pid: process.pid, acquired_at: ''})
    const files = [silo, join(root, '.jp')].flatMap((folder) => readdirSync(folder, {recursive: true}).map(String))
    assert.deepEqual(
      files.filter((name) => name.endsWith('.tmp') || name.endsWith('.lock')),
      [],
    )
  })
})
