// `npm run bench [--short] [ids …]`: every figure of 50-quality as a ratio against a floor measured in the same run,
// medians. Writes bench/results.json. A bench module exports `benches`, a list of {id, title, must, aim, run}.
import {mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync} from 'node:fs'
import {cpus, tmpdir} from 'node:os'
import {join} from 'node:path'
import {pathToFileURL} from 'node:url'
import {createContext} from './context.mjs'

const short = process.argv.includes('--short')
const wanted = process.argv.slice(2).filter((argument) => /^[DPQ]\d+$/.test(argument))
const results = []

const runBench = async (bench, context) => {
  const {figure, text, ok} = await bench.run(context)
  results.push({id: bench.id, title: bench.title, figure, must: bench.must, aim: bench.aim, ok})
  const verdict = ok ? 'ok  ' : 'MISS'
  process.stdout.write(
    `${verdict} ${bench.id.padEnd(4)} ${bench.title}: ${text} (must ${bench.must}, aim ${bench.aim})\n`,
  )
}

const rounds = short ? 7 : 25
for (const file of readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.bench.mjs'))
  .sort()) {
  const {benches} = await import(pathToFileURL(join(import.meta.dirname, file)))
  for (const bench of benches.filter(({id}) => wanted.length === 0 || wanted.includes(id))) {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'jp-bench-')))
    try {
      await runBench(bench, createContext({folder, rounds, short}))
    } finally {
      rmSync(folder, {recursive: true, force: true})
    }
  }
}
const about = {node: process.version, cpus: cpus().length, rounds, short}
writeFileSync(join(import.meta.dirname, 'results.json'), `${JSON.stringify({about, results}, undefined, 2)}\n`)
