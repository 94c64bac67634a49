import assert from 'node:assert/strict'
import {spawnSync} from 'node:child_process'
import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {text} from 'node:stream/consumers'
import {hasCode} from '../../../src/errors/jp-error.js'
import {type Child, startChild} from '../../../src/platform/child-process.js'
import {repository} from '../../support/jp.js'
import {isRunning, until} from '../../support/processes.js'
import {createScratch, type Scratch} from '../../support/scratch.js'

describe('child process', () => {
  let scratch: Scratch
  beforeEach(() => {
    scratch = createScratch()
  })
  afterEach(() => scratch.remove())

  const shell = (script: string, stdin: 'pipe' | 'ignore' = 'ignore'): Promise<Child> =>
    startChild({command: 'sh', args: ['-c', script], cwd: scratch.path, env: scratch.env, stdin})

  it('P20: a child has its own group, the working directory and the environment that it was given, and nothing else', async () => {
    const child = await startChild({
      command: 'sh',
      args: ['-c', 'pwd; env | sort; ps -o pgid= -p $$'],
      cwd: scratch.path,
      env: {PATH: scratch.env['PATH'], ONLY: 'this'},
      stdin: 'ignore',
    })
    const lines = (await text(child.stdout)).trim().split('\n')
    assert.deepEqual(await child.exited, {code: 0})
    assert.equal(lines[0], scratch.path)
    assert.deepEqual(
      lines
        .filter((line) => line.includes('='))
        .map((line) => line.split('=')[0])
        .filter((name) => !['PWD', '_', 'SHLVL', 'OLDPWD'].includes(name ?? '')),
      ['ONLY', 'PATH'],
    )
    assert.equal(Number(lines.at(-1)), child.pid)
  })

  it('arguments arrive as they are: no shell reads them', async () => {
    const child = await startChild({
      command: 'printf',
      args: ['%s|', 'a b', '$(id)', '', '*'],
      cwd: scratch.path,
      env: scratch.env,
      stdin: 'ignore',
    })
    assert.equal(await text(child.stdout), 'a b|$(id)||*|')
  })

  it('Q4: a program that is not there is an error that names it', async () => {
    await assert.rejects(
      startChild({command: '/nonexistent/tool', args: [], cwd: scratch.path, env: {}, stdin: 'ignore'}),
      (error) =>
        hasCode(error, 'child_failed') && error.message === "Can't start /nonexistent/tool: no such file or folder.",
    )
  })

  it('says by which signal a child died', async () => {
    assert.deepEqual(await (await shell('kill -KILL $$')).exited, {signal: 'SIGKILL'})
  })

  it('P20, FR-29: ending a group ends a grandchild that ignores SIGTERM and holds the pipes', async () => {
    const child = await shell(
      `(trap '' TERM; echo $$ > /dev/null; exec sleep 60) & echo $! > pid; trap '' TERM; echo ready; wait`,
    )
    await new Promise<void>((resume) => child.stdout.once('data', () => resume()))
    const grandchild = Number(readFileSync(join(scratch.path, 'pid'), 'utf8'))
    assert.ok(isRunning(grandchild))
    await child.endGroup(100)
    await until(() => !isRunning(grandchild), 'the grandchild to end')
    await until(() => !isRunning(child.pid), 'the child to end')
  })

  it('Q28: what is left of a group when the process exits is killed', async () => {
    const script = scratch.write(
      'host.mjs',
      `import {startChild} from ${JSON.stringify(join(repository, 'src', 'platform', 'child-process.ts'))}
       const child = await startChild({command: 'sh', args: ['-c', 'sleep 60 & echo $!; wait'], cwd: '.', env: process.env, stdin: 'ignore'})
       child.stdout.once('data', (bytes) => { console.log(child.pid + ' ' + bytes); process.exit(3) })`,
    )
    const hook = join(repository, 'test', 'support', 'typescript-imports.mjs')
    const {stdout, status} = spawnSync(process.execPath, ['--import', hook, script], {
      cwd: scratch.path,
      encoding: 'utf8',
      env: scratch.env,
    })
    assert.equal(status, 3)
    const pids = stdout.trim().split(/\s+/).map(Number)
    await until(() => !pids.some(isRunning), 'the group to end')
  })

  it('Q28: a group that has ended is left alone: its number may be somebody else’s by then', async () => {
    const script = scratch.write(
      'host.mjs',
      `import {startChild} from ${JSON.stringify(join(repository, 'src', 'platform', 'child-process.ts'))}
       const child = await startChild({command: 'true', args: [], cwd: '.', env: process.env, stdin: 'ignore'})
       await child.exited
       process.kill = (pid, signal) => console.log(pid, signal)
       child.signal('SIGTERM')
       await child.endGroup(0)`,
    )
    const hook = join(repository, 'test', 'support', 'typescript-imports.mjs')
    const {stdout, status} = spawnSync(process.execPath, ['--import', hook, script], {
      cwd: scratch.path,
      encoding: 'utf8',
      env: scratch.env,
    })
    assert.deepEqual([status, stdout], [0, ''])
  })

  it('Q29: two hundred children leave no descriptor and no listener', async () => {
    const open = (): number => readdirSync('/proc/self/fd').length
    const run = async (): Promise<void> => {
      const child = await shell('echo x')
      await text(child.stdout)
      await child.exited
      await child.endGroup(0)
    }
    const atFirst = open()
    await run()
    // The pipes of the last child are closed in a later turn of the event loop.
    await until(() => open() <= atFirst, 'the pipes of the last child to close')
    const listeners = process.listenerCount('exit')
    for (let round = 0; round < (process.env['JP_SOAK'] === '1' ? 2000 : 200); round++) await run()
    await until(() => open() <= atFirst, 'the pipes of the last child to close')
    assert.equal(process.listenerCount('exit'), listeners)
  })
})
