// Q19: what a plugin host holds once it has opened many checkouts.
import {chmodSync, mkdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {launcher} from './context.mjs'

const checkouts = 20
const conversations = 500

/** A plugin that lists every checkout twice, and prints how much its host holds then. Unit: megabytes. */
const client = `#!/usr/bin/env node
// jp-plugin/v1 {"protocol":12,"workspace_scope":"multi","description":"A plugin of the bench","command":["bench"]}
const {readFileSync} = require('node:fs')
const {createInterface} = require('node:readline')
const say = (message) => process.stdout.write(JSON.stringify(message) + '\\n')
const roots = JSON.parse(process.env.BENCH_ROOTS)
const requests = [...roots, ...roots].map((workspace) => ({type: 'list_conversations', id: 'x', workspace}))
createInterface({input: process.stdin}).on('line', () => {
  const next = requests.shift()
  if (next !== undefined) return say(next)
  const [, kilobytes] = /VmRSS:\\s+(\\d+)/.exec(readFileSync('/proc/' + process.ppid + '/status', 'utf8'))
  say({type: 'print', text: String(kilobytes / 1024)})
  say({type: 'exit', code: 0})
})
`

const event = {timestamp: '2026-09-01 08:00:00.0', type: 'chat_request', content: 'hello'}

const plant = (root, id) => {
  mkdirSync(join(root, '.jp'), {recursive: true})
  writeFileSync(join(root, '.jp', '.id'), `${id}\n`)
  for (let index = 0; index < conversations; index++) {
    const folder = join(root, '.jp', 'conversations', String(17567136000 + index))
    mkdirSync(folder, {recursive: true})
    writeFileSync(join(folder, 'events.json'), JSON.stringify([event]))
    const metadata = {title: `Conversation ${index}`, last_activated_at: '2026-09-01 08:00:00.0'}
    writeFileSync(join(folder, 'metadata.json'), JSON.stringify(metadata))
  }
  return {id, root}
}

const host = async (context) => {
  const config = join(context.env.HOME, '.config', 'jp')
  mkdirSync(config, {recursive: true})
  writeFileSync(join(config, 'config.toml'), 'plugins.command.bench.run = "allow"\n')
  const plugin = join(context.folder, 'bin', 'jp-bench')
  mkdirSync(join(context.folder, 'bin'))
  writeFileSync(plugin, client)
  chmodSync(plugin, 0o755)
  const roots = Array.from({length: checkouts}, (_, index) =>
    plant(join(context.folder, `checkout-${index}`), `bench${String.fromCharCode(97 + index)}`),
  )
  const PATH = `${join(context.folder, 'bin')}:${context.env.PATH}`
  const {text} = await context.time({
    args: [launcher, 'bench'],
    extraEnv: {PATH, BENCH_ROOTS: JSON.stringify(roots)},
  })
  const megabytes = Number(text)
  return {
    figure: megabytes,
    ok: megabytes <= 150,
    text: `${checkouts} checkouts of ${conversations} conversations: ${megabytes.toFixed(0)} MB`,
  }
}

export const benches = [
  {id: 'Q19', title: 'memory of a host with open checkouts', must: '150 MB', aim: '100 MB', run: host},
]
