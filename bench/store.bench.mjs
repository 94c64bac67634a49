// Q13, Q24, Q36: listing, searching and printing conversations. Runs by itself too: node bench/store.bench.mjs
import {spawn} from 'node:child_process'
import {mkdtempSync, realpathSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {createContext, launcher, median} from './context.mjs'
import {makeStore, writeLargeConversation} from './conversations.mjs'

const stores = new Map()
/** A store is made once for all figures that need it; each run of the bench has a folder of its own. */
const storeOf = (context, count, options = {}) => {
  const key = `${context.folder}:${count}:${options.isLocal === true}`
  if (!stores.has(key)) stores.set(key, makeStore(context.folder, count, options))
  return stores.get(key)
}

const timeJp = (context, store, args) =>
  context.time({args: [launcher, ...args], cwd: store.root, extraEnv: store.env}).then(({ms}) => ms)

const medianOf = async (context, rounds, act) => {
  const figures = []
  await act()
  for (let round = 0; round < rounds; round++) figures.push(await act())
  return median(figures)
}

const listing = ['conversation', 'ls']
const forgetIndex = (store) => rmSync(join(store.home, '.cache', 'jp', 'conversations'), {recursive: true, force: true})
const countOf = ({short}) => (short ? 2000 : 10_000)
const roundsOf = ({short}) => (short ? 3 : 9)

const judged = (ms, mustMs, text) => ({figure: ms, ok: ms <= mustMs, text})

/** How much more a command takes for twice as much: 2 is linear. */
const growth = async (context, measure) => {
  const small = await measure(context.short ? 1000 : 5000)
  const large = await measure(context.short ? 2000 : 10_000)
  const ratio = large / small
  return {
    figure: ratio,
    ok: ratio <= 2.2,
    text: `${small.toFixed(0)} ms, twice as much ${large.toFixed(0)} ms: ${ratio.toFixed(2)} x`,
  }
}

/** The most memory that a run of jp takes, and what it printed. Units: MB, bytes. */
const peakOf = (store, args) =>
  new Promise((settle, reject) => {
    const child = spawn('/usr/bin/env', ['time', '-f', '%M', process.execPath, launcher, ...args], {
      cwd: store.root,
      env: store.env,
    })
    let bytes = 0
    let told = ''
    child.stdout.on('data', (chunk) => {
      bytes += chunk.length
    })
    child.stderr.on('data', (chunk) => {
      told += chunk
    })
    child.on('error', reject)
    child.on('close', () => settle({peakMb: Number(told.trim().split('\n').at(-1)) / 1024, bytes}))
  })

export const benches = [
  {
    id: 'Q13',
    title: 'jp c ls, user-local conversations of 10 events, warm',
    must: '400 ms',
    aim: '150 ms',
    run: async (context) => {
      const store = storeOf(context, countOf(context), {isLocal: true})
      const ms = await medianOf(context, roundsOf(context), () => timeJp(context, store, listing))
      return judged(ms, 400, `${countOf(context)} conversations in ${ms.toFixed(0)} ms`)
    },
  },
  {
    id: 'Q13',
    title: 'the same in both roots: two copies of each, warm',
    must: '400 ms',
    aim: '150 ms',
    run: async (context) => {
      const store = storeOf(context, countOf(context))
      const ms = await medianOf(context, roundsOf(context), () => timeJp(context, store, listing))
      return judged(ms, 400, `${countOf(context)} conversations in ${ms.toFixed(0)} ms`)
    },
  },
  {
    id: 'Q13',
    title: 'the same in both roots without an index',
    must: '1500 ms',
    aim: '1500 ms',
    run: async (context) => {
      const store = storeOf(context, countOf(context))
      const ms = await medianOf(context, roundsOf(context), () => {
        forgetIndex(store)
        return timeJp(context, store, listing)
      })
      return judged(ms, 1500, `${countOf(context)} conversations in ${ms.toFixed(0)} ms`)
    },
  },
  {
    id: 'Q36',
    title: 'jp c grep over them, tool output included',
    must: '1500 ms',
    aim: '600 ms',
    run: async (context) => {
      const store = storeOf(context, countOf(context))
      const args = ['conversation', 'grep', 'haystack', '--output', 'count']
      const ms = await medianOf(context, roundsOf(context), () => timeJp(context, store, args))
      return judged(ms, 1500, `${countOf(context)} conversations in ${ms.toFixed(0)} ms`)
    },
  },
  {
    id: 'Q24',
    title: 'jp c ls without an index, for twice as many conversations',
    must: '2.2 x',
    aim: '2 x',
    run: (context) =>
      growth(context, (count) => {
        const store = storeOf(context, count)
        return medianOf(context, roundsOf(context), () => {
          forgetIndex(store)
          return timeJp(context, store, listing)
        })
      }),
  },
  {
    id: 'Q24',
    title: 'jp c print, for twice as many events',
    must: '2.2 x',
    aim: '2 x',
    run: (context) => {
      const store = storeOf(context, 1)
      return growth(context, (count) => {
        const id = writeLargeConversation(store, {number: count, megabytes: count / 400})
        return medianOf(context, roundsOf(context), () =>
          timeJp(context, store, ['c', 'print', id, '--format', 'json']),
        )
      })
    },
  },
  {
    id: 'Q24',
    title: 'most memory of jp c print for 50 MB, and how much more for 100 MB',
    must: '160 MB, +32 MB',
    aim: '128 MB, +8 MB',
    run: async (context) => {
      const store = storeOf(context, 1)
      const [small, large] = context.short ? [25, 50] : [50, 100]
      const peaks = []
      for (const megabytes of [small, large]) {
        const id = writeLargeConversation(store, {number: 20_000 + megabytes, megabytes})
        peaks.push(await peakOf(store, ['c', 'print', id, '--format', 'json']))
      }
      const [first, second] = peaks
      const more = second.peakMb - first.peakMb
      const text = `${small} MB: ${first.peakMb.toFixed(0)} MB, ${large} MB: ${second.peakMb.toFixed(0)} MB (+${more.toFixed(0)})`
      return {figure: more, ok: more <= 32 && first.peakMb <= 160 && second.bytes > first.bytes, text}
    },
  },
]

if (process.argv[1] === import.meta.filename) {
  const short = process.argv.includes('--short')
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'jp-bench-')))
  try {
    const context = createContext({folder, rounds: short ? 3 : 9, short})
    for (const bench of benches) {
      const {ok, text} = await bench.run(context)
      process.stdout.write(`${ok ? 'ok  ' : 'MISS'} ${bench.id} ${bench.title}: ${text} (must ${bench.must})\n`)
    }
  } finally {
    rmSync(folder, {recursive: true, force: true})
  }
}
