// Q14 to Q17: what finding, starting and answering a plugin costs.
import {execFileSync, spawn} from 'node:child_process'
import {chmodSync, copyFileSync, mkdirSync, readFileSync, statSync, writeFileSync} from 'node:fs'
import {join, resolve} from 'node:path'
import {launcher, median} from './context.mjs'

const root = (context) => join(context.folder, 'work')
const silo = (context) => join(context.env.HOME, '.local', 'share', 'jp', 'workspace', 'work-bench')

/** A checkout, and a user configuration that lets the plugins of the bench run. */
const prepare = (context, names) => {
  mkdirSync(join(root(context), '.jp'), {recursive: true})
  writeFileSync(join(root(context), '.jp', '.id'), 'bench\n')
  const config = join(context.env.HOME, '.config', 'jp')
  mkdirSync(config, {recursive: true})
  writeFileSync(join(config, 'config.toml'), names.map((name) => `plugins.command.${name}.run = "allow"\n`).join(''))
}

const executable = (folder, name, text) => {
  mkdirSync(folder, {recursive: true})
  const file = join(folder, name)
  writeFileSync(file, text)
  chmodSync(file, 0o755)
  return file
}

const manifest = (command) =>
  `jp-plugin/v1 ${JSON.stringify({protocol: 1, description: 'A plugin of the bench', command})}`
const shellPlugin = (command) =>
  `#!/bin/sh\n# ${manifest(command)}\nread -r init\nprintf '%s\\n' '{"type":"exit","code":0}'\n`

/** The stamps of files and folders are trusted once they have been left alone for two seconds (P5, S30). */
const settle = () => new Promise((done) => setTimeout(done, 2100))

/**
 * A client that sends one request again and again, and measures from its first byte to the end of the last answer.
 * It prints the time of one round trip in milliseconds.
 */
const client = `#!/usr/bin/env node
// ${manifest(['bench'])}
const {readSync, writeSync} = require('node:fs')
const block = Buffer.alloc(1 << 20)
let left = 0
const readLine = () => {
  for (;;) {
    if (left > 0) { const got = left; left = 0; if (block.lastIndexOf(10, got - 1) === got - 1) return }
    let got
    try { got = readSync(0, block) } catch (error) { if (error.code === 'EAGAIN') continue; throw error }
    if (got === 0) process.exit(1)
    if (block[got - 1] === 10) return
  }
}
const say = (message) => writeSync(1, JSON.stringify(message) + '\\n')
const count = Number(process.env.BENCH_COUNT)
const request = JSON.parse(process.env.BENCH_REQUEST)
readLine()
for (let i = 0; i < Math.min(20, count); i++) { say(request); readLine() }
const start = performance.now()
for (let i = 0; i < count; i++) { say(request); readLine() }
say({type: 'print', text: String((performance.now() - start) / count) + '\\n'})
say({type: 'exit', code: 0})
`

const conversation = (context, index, events) => {
  const folder = join(silo(context), 'conversations', String(17567136000 + index))
  mkdirSync(folder, {recursive: true})
  writeFileSync(
    join(folder, 'metadata.json'),
    `{\n  "title": "Conversation ${index}",\n  "last_activated_at": "2026-09-01 08:00:00.0"\n}\n`,
  )
  writeFileSync(join(folder, 'events.json'), `${JSON.stringify(events, undefined, 2)}\n`)
}

const chat = (content) => ({timestamp: '2026-09-01 08:00:00.0', type: 'chat_request', content})

/** Runs the client under a host; gives its milliseconds for one round trip. */
const roundTrip = (context, {args, count, request}) =>
  new Promise((done, reject) => {
    const env = {
      ...context.env,
      PATH: `${join(context.folder, 'bin')}:${context.env.PATH}`,
      BENCH_COUNT: String(count),
      BENCH_REQUEST: JSON.stringify(request),
    }
    const host = spawn(process.execPath, args, {cwd: root(context), env, stdio: ['ignore', 'pipe', 'inherit']})
    let text = ''
    host.stdout.on('data', (bytes) => {
      text += bytes
    })
    host.on('close', (code) =>
      code === 0 ? done(Number(text)) : reject(new Error(`${args.join(' ')} ended with ${code}`)),
    )
  })

/** A host that only echoes prepared bytes, after one readdir for each root and one stat for each conversation. */
const bareHost = `
const {spawn} = require('node:child_process')
const {readdirSync, readFileSync, statSync} = require('node:fs')
const {join} = require('node:path')
const [plugin, answerFile, ...roots] = process.argv.slice(1)
const answer = readFileSync(answerFile)
const child = spawn(plugin, {stdio: ['pipe', 'pipe', 'inherit']})
child.stdin.write('{"type":"init"}\\n')
let rest = ''
child.stdout.on('data', (bytes) => {
  rest += bytes
  for (let at = rest.indexOf('\\n'); at !== -1; at = rest.indexOf('\\n')) {
    const message = JSON.parse(rest.slice(0, at))
    rest = rest.slice(at + 1)
    if (message.type === 'print') process.stdout.write(message.text)
    else if (message.type === 'exit') child.stdin.end()
    else if (message.type !== 'ready') {
      for (const root of roots) {
        let names = []
        try { names = readdirSync(root) } catch {}
        for (const name of names) statSync(join(root, name))
      }
      child.stdin.write(answer)
    }
  }
})
`

const alternate = async (rounds, ...measures) => {
  const figures = measures.map(() => [])
  for (let round = 0; round < rounds; round++)
    for (const [index, measure] of measures.entries()) figures[index].push(await measure())
  return figures.map(median)
}

/** Packages as `jp plugins install` lays them out. */
const installPackages = (data, count) => {
  const folder = join(data, 'plugins', 'packages')
  const packages = Array.from({length: count}, (_, index) => {
    const [name, version] = [`package-${index}`, '1.0.0']
    const place = `${name}@${version}-00000000`
    const own = join(folder, place, 'node_modules', name)
    mkdirSync(own, {recursive: true})
    const jp = {protocol: 1, description: 'A package of the bench', command: [name], entry: './main.js'}
    writeFileSync(join(own, 'package.json'), JSON.stringify({name, version, oclif: {jp}}))
    writeFileSync(join(own, 'main.js'), '')
    const source = {kind: 'registry', name, range: 'latest'}
    return {name, version, kind: 'installed', folder: place, integrity: 'sha512-x', tree: 'x', source, official: false}
  })
  writeFileSync(join(folder, 'index.json'), JSON.stringify({version: 1, packages, retired: {}}))
}

const routing = async (context) => {
  prepare(context, ['own'])
  executable(join(context.env.HOME, '.local', 'share', 'jp', 'plugins', 'command'), 'jp-own', shellPlugin(['own']))
  const data = join(context.folder, 'crowded-data')
  executable(join(data, 'plugins', 'command'), 'jp-own', shellPlugin(['own']))
  installPackages(data, 30)
  const many = join(context.folder, 'many')
  for (let index = 0; index < 200; index++) executable(many, `jp-p${index}`, shellPlugin([`p${index}`]))
  await settle()
  const command = {args: [launcher, 'own'], cwd: root(context)}
  const crowded = {...command, extraEnv: {PATH: `${many}:${context.env.PATH}`, JP_USER_DATA_DIR: data}}
  const [alone, among] = await context.interleaved([command, crowded])
  const over = among - alone
  return {
    figure: over,
    ok: over <= 15,
    text: `${alone.toFixed(1)} ms alone, ${among.toFixed(1)} ms among 200 and 30 packages: +${over.toFixed(1)} ms`,
  }
}

const jp = (context, ...args) =>
  execFileSync(process.execPath, [launcher, ...args], {cwd: root(context), env: context.env})

/** A package of this many files beside its program. */
const packageOf = (context, name, count) => {
  const folder = join(context.folder, name)
  const fields = {protocol: 1, description: 'A package of the bench', command: [name], entry: './run'}
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), JSON.stringify({name, version: '1.0.0', oclif: {jp: fields}}))
  executable(folder, 'run', shellPlugin([name]))
  for (let index = 0; index < count; index++) {
    if (index % 20 === 0) mkdirSync(join(folder, 'lib', `p${index}`), {recursive: true})
    writeFileSync(join(folder, 'lib', `p${index - (index % 20)}`, `f${index}.js`), 'x'.repeat(500))
  }
  return folder
}

const tree = async (context) => {
  prepare(context, ['small', 'large'])
  for (const [name, count] of [
    ['small', 0],
    ['large', 5000],
  ])
    jp(context, 'plugins', 'install', packageOf(context, name, count), '--yes', '--silent')
  await settle()
  const command = (name) => ({args: [launcher, name], cwd: root(context)})
  const [small, large] = await context.interleaved([command('small'), command('large')])
  const over = large - small
  return {
    figure: over,
    ok: over <= 10,
    text: `${small.toFixed(1)} ms with 2 files, ${large.toFixed(1)} ms with 5,002: +${over.toFixed(1)} ms`,
  }
}

const installing = async (context) => {
  prepare(context, [])
  const folder = packageOf(context, 'small', 20)
  const figures = []
  for (let round = 0; round < (context.short ? 3 : 7); round++) {
    const start = performance.now()
    jp(context, 'plugins', 'install', folder, '--yes', '--silent')
    figures.push(performance.now() - start)
  }
  const figure = median(figures)
  return {figure, ok: figure <= 2000, text: `${figure.toFixed(0)} ms`}
}

const titles = async (context) => {
  prepare(context, ['titles'])
  const bin = join(context.folder, 'bin')
  mkdirSync(bin)
  const script = join(bin, 'jp-titles')
  copyFileSync(resolve(import.meta.dirname, '..', 'plugins', 'titles', 'jp-titles'), script)
  chmodSync(script, 0o755)
  await settle()
  const byHand = {
    file: '/bin/sh',
    args: [script],
    input:
      '{"type":"init","version":12,"args":[],"output_format":"text"}\n{"type":"conversations","id":"list","data":[]}\n',
  }
  const byJp = {args: [launcher, 'titles'], cwd: root(context), extraEnv: {PATH: `${bin}:${context.env.PATH}`}}
  const answer = join(context.folder, 'answer')
  writeFileSync(answer, '{"type":"conversations","id":"list","data":[]}\n')
  const byLeast = {args: ['-e', bareHost, script, answer]}
  const [hand, jp, least] = await context.interleaved([byHand, byJp, byLeast])
  const over = jp - hand
  return {
    figure: over,
    ok: over <= 70,
    text: `${hand.toFixed(1)} ms by hand, ${jp.toFixed(1)} ms by jp: +${over.toFixed(1)} ms (a host that does nothing else: +${(least - hand).toFixed(1)} ms)`,
  }
}

const listing = async (context) => {
  prepare(context, ['bench'])
  for (let index = 0; index < 100; index++) conversation(context, index, [chat('hello')])
  const plugin = executable(join(context.folder, 'bin'), 'jp-bench', client)
  const count = context.short ? 100 : 400
  const request = {type: 'list_conversations', id: 'x'}
  const data = Array.from({length: 100}, (_, index) => ({
    id: `jp-c${17567136000 + index}`,
    title: `Conversation ${index}`,
    last_activated_at: '2026-09-01T08:00:00Z',
    events_count: 1,
  }))
  const answer = join(context.folder, 'answer')
  writeFileSync(answer, `${JSON.stringify({type: 'conversations', id: 'x', data})}\n`)
  const roots = [join(silo(context), 'conversations'), join(root(context), '.jp', 'conversations')]
  await settle()
  const [bare, jp] = await alternate(
    context.short ? 3 : 7,
    () => roundTrip(context, {args: ['-e', bareHost, plugin, answer, ...roots], count, request}),
    () => roundTrip(context, {args: [launcher, 'bench'], count, request}),
  )
  const ratio = jp / bare
  return {
    figure: ratio,
    ok: ratio <= 1.5,
    text: `bare ${bare.toFixed(2)} ms, jp ${jp.toFixed(2)} ms: ${ratio.toFixed(2)} x`,
  }
}

const reading = async (context) => {
  prepare(context, ['bench'])
  const words = 'the quick brown fox jumps over the lazy dog '.repeat(20)
  const events = Array.from({length: 5500}, (_, index) => chat(`${index} ${words}`))
  conversation(context, 0, events)
  const file = join(silo(context), 'conversations', '17567136000', 'events.json')
  const text = readFileSync(file, 'utf8')
  executable(join(context.folder, 'bin'), 'jp-bench', client)
  const bare = () => {
    const start = performance.now()
    for (let round = 0; round < 5; round++) JSON.stringify(JSON.parse(text))
    return (performance.now() - start) / 5
  }
  bare()
  const count = context.short ? 5 : 15
  const request = {type: 'read_events', id: 'x', conversation: '17567136000'}
  const [floor, jp] = await alternate(
    context.short ? 3 : 5,
    async () => bare(),
    () => roundTrip(context, {args: [launcher, 'bench'], count, request}),
  )
  const ratio = jp / floor
  return {
    figure: ratio,
    ok: ratio <= 2,
    text: `${(statSync(file).size / 1e6).toFixed(1)} MB: parse and stringify ${floor.toFixed(1)} ms, read_events ${jp.toFixed(1)} ms: ${ratio.toFixed(2)} x`,
  }
}

export const benches = [
  {id: 'Q14', title: 'routing among 200 executables and 30 packages, warm', must: '+15 ms', aim: '+5 ms', run: routing},
  {id: 'P13', title: 'a package of 5,000 files over one of two, warm', must: '+10 ms', aim: '+10 ms', run: tree},
  {id: 'P15', title: 'install of a folder', must: '2000 ms', aim: '1000 ms', run: installing},
  {id: 'Q15', title: 'jp titles over its script by hand', must: '+70 ms', aim: '+45 ms', run: titles},
  {id: 'Q16', title: 'list_conversations round trip, 100 conversations', must: '1.5 x', aim: '1.2 x', run: listing},
  {id: 'Q17', title: 'read_events of 5 MB', must: '2 x', aim: '1.3 x', run: reading},
]
