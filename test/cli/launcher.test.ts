import assert from 'node:assert/strict'
import {type ChildProcess, execFileSync, spawn} from 'node:child_process'
import {existsSync, mkdirSync, symlinkSync} from 'node:fs'
import {delimiter, join} from 'node:path'
import {launcher, repository} from '../support/jp.js'
import {isRunning} from '../support/processes.js'
import {createScratch, type Scratch} from '../support/scratch.js'

/** A Node of this machine that is too old for jp, or undefined. */
const oldNode = (): string | undefined =>
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules'))
    .map((folder) => join(folder, 'node'))
    .filter((file) => existsSync(file))
    .find((file) => Number(execFileSync(file, ['-p', 'process.versions.node.split(".")[0]'], {encoding: 'utf8'})) < 22)

type Ended = {code: number | null; signal: NodeJS.Signals | null; stdout: string; stderr: string}

const end = (child: ChildProcess): Promise<Ended> =>
  new Promise((settle) => {
    let stdout = ''
    let stderr = ''
    child.stdout?.on('data', (bytes: Buffer) => (stdout += bytes.toString()))
    child.stderr?.on('data', (bytes: Buffer) => (stderr += bytes.toString()))
    child.on('close', (code, signal) => settle({code, signal, stdout, stderr}))
  })

/** A package in a folder of its own whose `bin/` is ours and whose entry is a given script. */
const packageWith = (scratch: Scratch, entry: string): string => {
  scratch.write('package/package.json', '{"type": "module"}')
  scratch.write('package/dist/entry.js', entry)
  mkdirSync(join(scratch.path, 'package', 'bin'))
  for (const name of ['jp.js', 'hand-over.js', 'package.json']) {
    execFileSync('cp', [join(repository, 'bin', name), join(scratch.path, 'package', 'bin', name)])
  }
  symlinkSync(join(repository, 'node_modules'), join(scratch.path, 'package', 'node_modules'))
  return join(scratch.path, 'package', 'bin', 'jp.js')
}

/** Starts our hand-over on this Node, as an old Node would. */
const handOver = (script: string, env: Readonly<Record<string, string>>, args: readonly string[] = []): ChildProcess =>
  spawn(
    process.execPath,
    ['-e', `require(${JSON.stringify(join(script, '..', 'hand-over.js'))}).handOver()`, '--', script, ...args],
    {
      env: {...env},
      stdio: 'pipe',
      detached: true,
    },
  )

const untilLine = (child: ChildProcess, line: string): Promise<void> =>
  new Promise((settle) => {
    let text = ''
    child.stdout?.on('data', (bytes: Buffer) => {
      text += bytes.toString()
      if (text.includes(line)) settle()
    })
  })

const untilGone = async (pid: number, timeoutMs: number): Promise<void> => {
  const deadline = performance.now() + timeoutMs
  while (isRunning(pid)) {
    assert.ok(performance.now() < deadline, `process ${pid} still lives after ${timeoutMs} ms`)
    await new Promise((resume) => setTimeout(resume, 20))
  }
}

/** Says when it is ready, and how it ended: by which signal. */
const answersSignals = `export const main = async () => {
  const {watchLauncher} = await import(${JSON.stringify(join(repository, 'src', 'cli', 'launcher-watch.ts'))})
  watchLauncher()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => { console.log('got ' + name); process.exit(40) })
  console.log('ready ' + process.pid)
  setInterval(() => undefined, 1000)
}`

describe('the launcher', () => {
  let scratch: Scratch
  beforeEach(() => {
    scratch = createScratch()
  })
  afterEach(() => scratch.remove())

  it('Q28: an old Node hands over to the Node of the node package', function () {
    const node = oldNode()
    if (node === undefined) return this.skip()
    const out = execFileSync(node, [launcher, '--version'], {env: scratch.env, encoding: 'utf8'})
    assert.match(out, /^jp \d+\.\d+\.\d+\n$/)
  })

  it('Q28: an old Node with nobody to hand over to says which version jp needs, in one line, exit 1', async () => {
    const script = packageWith(scratch, '')
    execFileSync('rm', [join(scratch.path, 'package', 'node_modules')])
    const {code, stdout, stderr} = await end(handOver(script, scratch.env))
    assert.equal(stderr, `jp needs Node 22.22.2 or newer; this is Node ${process.versions.node}.\n`)
    assert.deepEqual([code, stdout], [1, ''])
  })

  it('Q28: arguments and the exit code are passed on', async () => {
    const script = packageWith(
      scratch,
      'export const main = (argv) => { console.log(JSON.stringify(argv)); process.exitCode = 42 }',
    )
    const {code, stdout} = await end(handOver(script, scratch.env, ['a b', '', '--x=1']))
    assert.deepEqual([code, stdout], [42, '["a b","","--x=1"]\n'])
  })

  it('Q28: death by a signal is passed on', async () => {
    const script = packageWith(scratch, "export const main = () => process.kill(process.pid, 'SIGKILL')")
    const {code, signal} = await end(handOver(script, scratch.env))
    assert.deepEqual([code, signal], [null, 'SIGKILL'])
  })

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    it(`Q28: ${signal} to the launcher reaches jp`, async () => {
      const child = handOver(packageWith(scratch, answersSignals), scratch.env)
      const ended = end(child)
      await untilLine(child, 'ready')
      child.kill(signal)
      const {code, stdout} = await ended
      assert.equal(code, 40)
      assert.match(stdout, new RegExp(`got ${signal}\n$`))
    })
  }

  it('Q28: jp ends when the launcher is killed', async () => {
    const child = handOver(packageWith(scratch, answersSignals), scratch.env)
    let text = ''
    child.stdout?.on('data', (bytes: Buffer) => (text += bytes.toString()))
    await untilLine(child, 'ready')
    const jp = Number(/ready (\d+)/.exec(text)?.[1])
    child.kill('SIGKILL')
    await untilGone(jp, 30_000)
  })
})
