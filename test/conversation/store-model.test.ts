import assert from 'node:assert/strict'
import {cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import fc from 'fast-check'
import {storedTimestamp} from '../../src/conversation/timestamp.js'
import {seed} from '../support/fuzz.js'
import {createScratch, type Scratch} from '../support/scratch.js'
import {type CheckoutName, createStoreModel, type PlaceName, type StoreModel} from '../support/store-model.js'
import {type StoreProcess, startStore, type WorkerAnswer, type WorkerRequest} from '../support/store-process.js'

const isSoak = process.env['JP_SOAK'] === '1'
const stepsARun = isSoak ? 100 : 40
const runs = isSoak ? 20 : 4

/** Files that the store wrote bear the real time; logical times lie far below. Unit: seconds. */
const realTimes = 1_500_000_000
const logical = (step: number): number => 1_000_000_000 + step * 10

const stepOf = fc.record({
  act: fc.constantFrom(
    'create',
    'create',
    'append',
    'append',
    'append',
    'title',
    'local',
    'project',
    'archive',
    'unarchive',
    'remove',
    'load',
    'editMeta',
    'editStream',
    'pull',
    'unpull',
    'kill',
  ),
  at: fc.constantFrom<CheckoutName>('A', 'B'),
  place: fc.constantFrom<PlaceName>('silo', 'A', 'B'),
  pick: fc.nat(1000),
  tick: fc.nat(3),
  when: fc.constantFrom('now', 'past', 'future', 'tie', 'tie'),
})
type Step = typeof stepOf extends fc.Arbitrary<infer Value> ? Value : never

/** The real thing: two checkouts, one user-local store, a process for each checkout. */
const createWorld = (scratch: Scratch) => {
  const silo = scratch.folder('silo')
  const roots = {A: scratch.checkout('a', 'a1b2c'), B: scratch.checkout('b', 'a1b2c')}
  const bases: Readonly<Record<PlaceName, string>> = {
    silo: join(silo, 'conversations'),
    A: join(roots.A, '.jp', 'conversations'),
    B: join(roots.B, '.jp', 'conversations'),
  }
  const processes: Record<CheckoutName, StoreProcess> = {A: startStore(roots.A, silo), B: startStore(roots.B, silo)}
  const foldersOf = (place: PlaceName): readonly {id: number; archived: boolean; path: string}[] =>
    [false, true].flatMap((archived) => {
      const shelf = archived ? join(bases[place], '.archive') : bases[place]
      if (!existsSync(shelf)) return []
      const names = readdirSync(shelf).filter((name) => !name.startsWith('.'))
      return names.map((name) => ({id: Number.parseInt(name, 10), archived, path: join(shelf, name)}))
    })
  return {
    bases,
    processes,
    foldersOf,
    folder: (place: PlaceName, id: number) => foldersOf(place).find((folder) => folder.id === id),
    async restart(at: CheckoutName) {
      await processes[at].kill()
      processes[at] = startStore(roots[at], silo)
    },
    /** Gives what the store has just written its logical time. */
    stamp(time: number) {
      for (const place of ['silo', 'A', 'B'] as const)
        for (const {path} of foldersOf(place))
          for (const name of readdirSync(path)) {
            const own = time + (place === 'silo' ? 1 : 2)
            if (statSync(join(path, name)).mtimeMs / 1000 > realTimes) utimesSync(join(path, name), own, own)
          }
    },
    async close() {
      await Promise.all([processes.A.kill(), processes.B.kill()])
    },
  }
}
type World = ReturnType<typeof createWorld>

const copiesOnDisk = (world: World, place: PlaceName) =>
  world
    .foldersOf(place)
    .map(({id, archived, path}) => {
      const events = JSON.parse(readFileSync(join(path, 'events.json'), 'utf8')) as {type: string; content?: string}[]
      const meta = JSON.parse(readFileSync(join(path, 'metadata.json'), 'utf8')) as {
        title?: string
        archived_at?: string
      }
      return {
        id,
        archived,
        title: meta.title ?? null,
        metaTime: statSync(join(path, 'metadata.json')).mtimeMs / 1000,
        contents: events.flatMap(({type, content}) => (type === 'chat_request' ? [content] : [])),
        streamTime: statSync(join(path, 'events.json')).mtimeMs / 1000,
      }
    })
    .sort((left, right) => left.id - right.id)

const copiesOfModel = (model: StoreModel, place: PlaceName) =>
  [...model.places[place]]
    .map(([id, {archived, meta, metaTime, contents, streamTime}]) => ({
      id,
      archived,
      title: meta.title,
      metaTime,
      contents,
      streamTime,
    }))
    .sort((left, right) => left.id - right.id)

const eventsText = (contents: readonly string[]): string =>
  `${JSON.stringify(
    contents.map((content) => ({timestamp: '2026-09-01 08:00:00.0', type: 'chat_request', content})),
    undefined,
    2,
  )}\n`

const metaText = (title: string | null, archivedAt: number | null, usedAt: number): string =>
  `${JSON.stringify({...(title === null ? {} : {title}), last_activated_at: storedTimestamp(usedAt), ...(archivedAt === null ? {} : {archived_at: storedTimestamp(archivedAt)})}, undefined, 2)}\n`

/** One step on both; they must agree on the outcome. */
const take = async (world: World, model: StoreModel, step: Step, number: number): Promise<void> => {
  const time = logical(number)
  const {at} = step
  const ids = [...new Set([...model.places.silo.keys(), ...model.places.A.keys(), ...model.places.B.keys()])].sort(
    (left, right) => left - right,
  )
  const id = ids[step.pick % Math.max(1, ids.length)] ?? 17
  const name = `jp-c${id}`
  const ask = async (request: WorkerRequest, expected: string): Promise<WorkerAnswer> => {
    const answer = await world.processes[at].ask(request)
    assert.ok(answer !== undefined)
    assert.equal(answer.code ?? 'ok', expected, `${JSON.stringify(request)}: ${answer.message}`)
    return answer
  }
  const nowMs = Date.UTC(2026, 8, 1) + step.tick * 100
  const edited = world.folder(step.place, id)
  const copy = model.places[step.place].get(id)
  const other = [...(['silo', 'A', 'B'] as const)]
    .map((place) => (place === step.place ? undefined : model.places[place].get(id)))
    .find((found) => found !== undefined)
  const editTime = (tie: number | undefined): number =>
    ({now: time, past: logical(Math.max(0, number - 20)), future: logical(number + 20), tie: tie ?? time})[step.when]
  switch (step.act) {
    case 'create': {
      const [title, content, local] = [`Title ${number}`, `c${number}`, step.pick % 4 === 0]
      const expected = model.create(at, {deciseconds: nowMs / 100, title, content, local}, time)
      const answer = await ask({act: 'create', title, local, content, nowMs}, 'ok')
      assert.equal(answer.value, `jp-c${expected}`)
      break
    }
    case 'append':
      await ask({act: 'append', id: name, content: `a${number}`}, model.write(at, id, {add: `a${number}`}, time))
      break
    case 'title': {
      const title = step.pick % 5 === 0 ? null : `Renamed ${number}`
      await ask({act: 'title', id: name, title}, model.write(at, id, {meta: (meta) => ({...meta, title})}, time))
      break
    }
    case 'local':
    case 'project': {
      const local = step.act === 'local'
      await ask({act: 'local', id: name, local}, model.write(at, id, {local}, time))
      break
    }
    case 'archive':
    case 'unarchive': {
      const archived = step.act === 'archive'
      const expected = model.write(
        at,
        id,
        {
          mayBeArchived: true,
          archived,
          meta: (meta) => ({...meta, archivedAt: archived ? nowMs + number * 1000 : null}),
        },
        time,
      )
      await ask({act: 'archive', id: name, archived, nowMs: nowMs + number * 1000}, expected)
      break
    }
    case 'remove':
      await ask({act: 'remove', id: name}, model.remove(at, id))
      break
    case 'load':
      model.load(at)
      await ask({act: 'load'}, 'ok')
      break
    case 'editMeta':
      if (edited === undefined || copy === undefined) break
      copy.meta = {...copy.meta, title: `Edited ${number}`}
      copy.metaTime = editTime(other?.metaTime)
      writeFileSync(
        join(edited.path, 'metadata.json'),
        metaText(copy.meta.title, copy.meta.archivedAt, copy.meta.usedAt),
      )
      utimesSync(join(edited.path, 'metadata.json'), copy.metaTime, copy.metaTime)
      break
    case 'editStream':
      if (edited === undefined || copy === undefined) break
      copy.contents = [...copy.contents.slice(0, step.pick % 3), `e${number}`]
      copy.streamTime = editTime(other?.streamTime)
      writeFileSync(join(edited.path, 'events.json'), eventsText(copy.contents))
      utimesSync(join(edited.path, 'events.json'), copy.streamTime, copy.streamTime)
      break
    case 'pull': {
      // git brings the other checkout's copy; a conversation that was there is left alone.
      const from: CheckoutName = at === 'A' ? 'B' : 'A'
      const source = world.folder(from, id)
      const pulled = model.places[from].get(id)
      if (source === undefined || pulled === undefined || model.places[at].has(id)) break
      const shelf = pulled.archived ? join(world.bases[at], '.archive') : world.bases[at]
      cpSync(source.path, join(shelf, source.path.split('/').at(-1) ?? ''), {recursive: true, preserveTimestamps: true})
      model.places[at].set(id, {...pulled})
      break
    }
    case 'unpull': {
      const gone = world.folder(at, id)
      if (gone !== undefined) rmSync(gone.path, {recursive: true})
      model.places[at].delete(id)
      break
    }
    case 'kill':
      await world.restart(at)
  }
  world.stamp(time)
}

const compare = async (world: World, model: StoreModel): Promise<void> => {
  for (const place of ['silo', 'A', 'B'] as const)
    assert.deepEqual(copiesOnDisk(world, place), copiesOfModel(model, place), place)
  for (const at of ['A', 'B'] as const) {
    const answer = await world.processes[at].ask({act: 'view'})
    assert.ok(answer !== undefined)
    const seen = (
      answer.value as readonly {id: string; title: string; archived: boolean; presence: string; contents: string[]}[]
    ).map(({id, title, archived, presence, contents}) => ({
      id: Number(id.slice(4)),
      title,
      archived,
      presence,
      contents,
    }))
    assert.deepEqual(seen, model.view(at), `the view of ${at}`)
  }
}

describe(`the store against a model of its rules (seed ${seed}, ${runs} x ${stepsARun} steps)`, () => {
  it('W17, W18, W21, S15, S22, S30: two checkouts, two processes, edits by hand, git, clock skew and ties: no difference', async function () {
    this.timeout(isSoak ? 600_000 : 300_000)
    await fc.assert(
      fc.asyncProperty(fc.array(stepOf, {minLength: stepsARun, maxLength: stepsARun}), async (steps) => {
        const scratch = createScratch()
        const world = createWorld(scratch)
        try {
          const model = createStoreModel()
          for (const [number, step] of steps.entries()) {
            await take(world, model, step, number + 1)
            await compare(world, model)
          }
        } finally {
          await world.close()
          scratch.remove()
        }
      }),
      {seed, numRuns: runs, endOnFailure: true},
    )
  })
})
