import assert from 'node:assert/strict'
import {spawn} from 'node:child_process'
import {globSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {createInterface} from 'node:readline'
import {random, seed} from '../support/fuzz.js'
import {launcher, runJp} from '../support/jp.js'
import {createScratch, type Scratch} from '../support/scratch.js'

const writers = 8
const conversations = 4
/** How many writers are killed: Q25's 300, a tenth of it in `npm test`. */
const kills = process.env['JP_SOAK'] === '1' ? 300 : 30

/** Many small parts with pauses between them, so that a kill meets every stage of a turn. */
const script = JSON.stringify(
  Array.from({length: 12}, (_, at) => [
    {reasoning: `thought ${at}`, delay_ms: 4},
    {text: `word ${at} `, delay_ms: 4},
  ]).flat(),
)

type Entry = {readonly type: string; readonly timestamp: string; readonly [field: string]: unknown}

describe('a writer that is killed', () => {
  let scratch: Scratch
  let root: string
  before(() => {
    scratch = createScratch()
    root = scratch.checkout('app', 'crash')
    scratch.write('app/steps.json', script)
  })
  after(() => scratch.remove())

  const env = (): Record<string, string> => ({
    ...scratch.env,
    JP_ECHO_SCRIPT: 'steps.json',
    JP_SESSION: 'crash',
    JP_LOCK_DURATION: '0',
  })

  /** Runs one turn and kills it after a while; gives the events that it acknowledged. */
  const killedTurn = (id: string, afterMs: number): Promise<Entry[]> =>
    new Promise((settle) => {
      const args = [launcher, 'query', '--id', id, '--format', 'json', '--no-tools', 'again']
      const child = spawn(process.execPath, args, {
        cwd: root,
        env: env(),
        stdio: ['ignore', 'pipe', 'ignore'],
        detached: true,
      })
      const acknowledged: Entry[] = []
      createInterface({input: child.stdout}).on('line', (line) => {
        try {
          const event: {type: string; event?: Entry} = JSON.parse(line)
          if (event.type === 'event' && event.event !== undefined) acknowledged.push(event.event)
        } catch {
          // The kill cut the line: what it says was never acknowledged.
        }
      })
      const timer = setTimeout(() => child.kill('SIGKILL'), afterMs)
      child.on('close', () => {
        clearTimeout(timer)
        settle(acknowledged)
      })
    })

  const stored = (id: string): Entry[] => {
    const number = id.slice('jp-c'.length)
    const [file = ''] = globSync(`${scratch.data}/workspace/*/conversations/${number}*/events.json`)
    const events: unknown = JSON.parse(readFileSync(file, 'utf8'))
    assert.ok(Array.isArray(events), file)
    return events
  }

  /** A reader must never meet a file that does not parse. */
  const read = async (): Promise<void> => {
    const run = await runJp(['c', 'ls', '--format', 'json'], {cwd: root, env: env()})
    assert.deepEqual([run.code, run.stderr], [0, ''])
    assert.equal(JSON.parse(run.stdout).length, conversations)
  }

  it(`W18, W19, Q25, FR-22: ${kills} kills under ${writers} writers on ${conversations} conversations lose nothing that was acknowledged (seed ${seed})`, async function () {
    this.timeout(kills * 20_000)
    const ids: string[] = []
    for (let at = 0; at < conversations; at++) {
      const run = await runJp(['query', '--new', '--model', 'echo/echo', '--no-tools', '--format', 'json', 'start'], {
        cwd: root,
        env: env(),
      })
      ids.push(JSON.parse(run.stdout.split('\n')[0] ?? '').conversation)
    }
    const acknowledged = new Map(ids.map((id) => [id, stored(id)]))
    for (let done = 0; done < kills; done += writers) {
      const turns = Array.from({length: writers}, async (_, at) => {
        const id = ids[at % conversations] ?? ''
        acknowledged.get(id)?.push(...(await killedTurn(id, 150 + random() * 900)))
      })
      await Promise.all([...turns, read(), read()])
    }
    for (const [id, events] of acknowledged) {
      const there = new Set(
        stored(id).map((event) =>
          JSON.stringify([event.timestamp, event.type, event['message'] ?? event['reasoning'] ?? event['content']]),
        ),
      )
      const lost = events.filter(
        (event) =>
          !there.has(
            JSON.stringify([event.timestamp, event.type, event['message'] ?? event['reasoning'] ?? event['content']]),
          ),
      )
      assert.deepEqual(lost, [], `${id} lost what it had acknowledged`)
      // Without patience (JP_LOCK_DURATION): a lock of the dead would end it.
      const next = await runJp(['query', '--id', id, '--no-tools', 'after all'], {
        cwd: root,
        env: {...env(), JP_ECHO_SCRIPT: ''},
      })
      // Requests that were never answered stand in front of the new one.
      assert.ok(next.code === 0 && next.stdout.endsWith('after all\n'), `${next.stdout}${next.stderr}`)
    }
    assert.deepEqual(globSync('**/.*.tmp', {cwd: scratch.path}), [])
    assert.deepEqual(globSync(join(scratch.data, 'workspace/*/locks/*')), [])
  })
})
