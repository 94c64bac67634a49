// Merges the chunks of dist/ that the usual commands load together: reading a hundred small files takes a query 20 ms
// longer than reading ten (docs/decisions/0001).
import {execFileSync} from 'node:child_process'
import {mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'

const plugin = `#!/bin/sh
# jp-plugin/v1 {"protocol": 1, "description": "Ends at once", "command": ["end"]}
read -r init
printf '%s\\n' '{"type": "list_conversations"}'
read -r conversations
printf '%s\\n' '{"type": "exit", "code": 0}'
`

/** The usual runs, in an order in which each finds what it needs. */
const runs = [
  {args: ['--version']},
  {args: ['query', '--new', '--model', 'echo/echo', 'hello']},
  {args: ['workspace', 'ls']},
  {args: ['conversation', 'ls']},
  ...(process.platform === 'win32' ? [] : [{args: ['end']}]),
  {
    args: ['acp'],
    input: `${JSON.stringify({jsonrpc: '2.0', id: 1, method: 'initialize', params: {protocolVersion: 1}})}\n`,
  },
]

/** For each of the usual runs, the chunks that it loads, from runs in a scratch home. */
const recordRuns = (root) => {
  const scratch = mkdtempSync(join(tmpdir(), 'jp-build-'))
  try {
    const [home, checkout] = [join(scratch, 'home'), join(scratch, 'checkout')]
    const plugins = join(home, '.local', 'share', 'jp', 'plugins', 'command')
    const configuration = join(home, '.config', 'jp')
    for (const folder of [join(checkout, '.jp'), plugins, configuration]) mkdirSync(folder, {recursive: true})
    writeFileSync(join(checkout, '.jp', '.id'), 'build\n')
    writeFileSync(join(plugins, 'jp-end'), plugin, {mode: 0o755})
    writeFileSync(join(configuration, 'config.toml'), 'plugins.command.end.run = "allow"\n')
    const record = join(scratch, 'chunks.json')
    const env = {HOME: home, PATH: process.env.PATH, JP_SESSION: 'build', RECORD_CHUNKS: record}
    return runs.map(({args, input = ''}) => {
      const recorder = join(root, '.ci', 'record-chunks.cjs')
      execFileSync(process.execPath, ['-r', recorder, join(root, 'bin', 'jp.js'), ...args], {
        cwd: checkout,
        env,
        input,
        stdio: ['pipe', 'ignore', 'pipe'],
      })
      return new Set(JSON.parse(readFileSync(record, 'utf8')))
    })
  } finally {
    rmSync(scratch, {recursive: true, force: true})
  }
}

/** Chunks by the runs that load them; those that no run loads, and those that stand alone, stay as they are. */
const groupsOf = (loads) => {
  const groups = new Map()
  for (const chunk of new Set(loads.flatMap((chunks) => [...chunks]))) {
    const key = loads.map((chunks) => (chunks.has(chunk) ? '1' : '0')).join('')
    groups.set(key, [...(groups.get(key) ?? []), chunk].sort())
  }
  return [...groups]
    .filter(([, chunks]) => chunks.length > 1)
    .map(([key, chunks]) => ({file: `part-${key}.js`, chunks}))
}

/**
 * One file for a group: a function that gives what a chunk of it exports, and runs the chunk when it is first asked for.
 * The parentheses around each chunk are what makes V8 compile it with the file, and keep it in the compile cache.
 */
const textOf = (chunks, textOfChunk) => `var made={},chunks={${chunks
  .map(
    (name) => `${JSON.stringify(name)}:(function(exports,require,module,__filename,__dirname){${textOfChunk(name)}\n})`,
  )
  .join(',\n')}};
module.exports=function(name){var module=made[name];if(module===undefined){module=made[name]={exports:{}};\
chunks[name](module.exports,require,module,__filename,__dirname)}return module.exports};
`

/** Merges what `jp` of `root` loads, in its built `dist`. */
export const mergeChunks = (root, dist) => {
  const groups = groupsOf(recordRuns(root))
  const fileOf = new Map(groups.flatMap(({file, chunks}) => chunks.map((chunk) => [chunk, file])))
  const rewritten = (name) =>
    readFileSync(join(dist, name), 'utf8').replaceAll(/require\("\.\/(chunk-\w+\.js)"\)/g, (whole, chunk) =>
      fileOf.has(chunk) ? `require("./${fileOf.get(chunk)}")("${chunk}")` : whole,
    )
  for (const {file, chunks} of groups) writeFileSync(join(dist, file), textOf(chunks, rewritten))
  for (const chunk of fileOf.keys()) rmSync(join(dist, chunk))
  const others = readdirSync(dist).filter((name) => name === 'entry.js' || name.startsWith('chunk-'))
  for (const name of others) writeFileSync(join(dist, name), rewritten(name))
}
