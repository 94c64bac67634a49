// What the usual commands of a built jp load and call, read from V8's coverage of one run of each in a scratch home.
import {spawn} from 'node:child_process'
import {mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {basename, join} from 'node:path'
import {pathToFileURL} from 'node:url'

const plugin = `#!/bin/sh
# jp-plugin/v1 {"protocol": 1, "description": "Ends at once", "command": ["end"]}
read -r init
printf '%s\\n' '{"type": "list_conversations"}'
read -r conversations
printf '%s\\n' '{"type": "exit", "code": 0}'
`
const initialize = {jsonrpc: '2.0', id: 1, method: 'initialize', params: {protocolVersion: 1}}

/** The usual runs, in an order in which each finds what it needs. */
const usualRuns = [
  {args: ['--version']},
  {args: ['query', '--new', '--model', 'echo/echo', 'hello']},
  {args: ['query', '--model', 'echo/echo', 'again']},
  {args: ['workspace', 'ls']},
  {args: ['conversation', 'ls']},
  ...(process.platform === 'win32' ? [] : [{args: ['end']}]),
  {args: ['acp'], input: `${JSON.stringify(initialize)}\n`},
  {args: ['serve', '--port', '0'], until: 'http://'},
]

/**
 * Runs each of the usual commands once. Gives for each run the files of `dist` that it loaded, by name, and for each of
 * them the places of the functions that it called.
 */
export const profileRuns = async (root) => {
  const scratch = mkdtempSync(join(tmpdir(), 'jp-build-'))
  try {
    const {home, checkout} = layOut(scratch)
    const profiles = []
    for (const [index, {args, input = '', until}] of usualRuns.entries()) {
      const coverage = join(scratch, `coverage-${index}`)
      const env = {HOME: home, PATH: process.env.PATH, JP_SESSION: 'build', NODE_V8_COVERAGE: coverage}
      await runToEnd([join(root, 'bin', 'jp.js'), ...args], {cwd: checkout, env, input, until})
      profiles.push(readCoverage(coverage, join(root, 'dist')))
    }
    return profiles
  } finally {
    rmSync(scratch, {recursive: true, force: true})
  }
}

/** Runs jp to its end, which is asked for once it has said `until`. */
const runToEnd = (args, {cwd, env, input, until}) =>
  new Promise((settle, reject) => {
    const child = spawn(process.execPath, args, {cwd, env})
    let said = ''
    const hear = (bytes) => {
      said += bytes
      if (until !== undefined && !child.killed && said.includes(until)) child.kill('SIGTERM')
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    child.stdin.end(input)
    child.on('error', reject)
    child.on('close', (code) =>
      code === 0 ? settle() : reject(new Error(`${args.join(' ')} ended with ${code}: ${said}`)),
    )
  })

const layOut = (scratch) => {
  const [home, checkout] = [join(scratch, 'home'), join(scratch, 'checkout')]
  const plugins = join(home, '.local', 'share', 'jp', 'plugins', 'command')
  const configuration = join(home, '.config', 'jp')
  for (const folder of [join(checkout, '.jp'), plugins, configuration]) mkdirSync(folder, {recursive: true})
  writeFileSync(join(checkout, '.jp', '.id'), 'build\n')
  writeFileSync(join(plugins, 'jp-end'), plugin, {mode: 0o755})
  writeFileSync(join(configuration, 'config.toml'), 'plugins.command.end.run = "allow"\n')
  return {home, checkout}
}

const readCoverage = (folder, dist) => {
  const loaded = new Map()
  for (const file of readdirSync(folder)) {
    for (const {url, functions} of JSON.parse(readFileSync(join(folder, file), 'utf8')).result) {
      if (!url.startsWith(pathToFileURL(join(dist, '/')).href)) continue
      const called = functions.map(({ranges: [whole]}) => whole).filter(({count}) => count > 0)
      loaded.set(basename(url), [...(loaded.get(basename(url)) ?? []), ...called])
    }
  }
  return loaded
}
