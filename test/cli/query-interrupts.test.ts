import assert from 'node:assert/strict'
import {spawn} from 'node:child_process'
import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {launcher} from '../support/jp.js'
import {startOnTerminal, type TerminalRun} from '../support/pty.js'
import {createScratch, type Scratch} from '../support/scratch.js'

describe('jp query, interrupted', () => {
  let scratch: Scratch
  let root: string

  beforeEach(() => {
    scratch = createScratch()
    root = scratch.checkout('app', 'abcde')
    scratch.write('app/.jp/config.toml', '[assistant.model]\nid = "echo/echo"\n')
    scratch.write(
      'steps.json',
      JSON.stringify([{text: 'first words '}, {text: 'slow {n} ', repeat: 10_000, delay_ms: 20}, {end: 'stop'}]),
    )
  })
  let runs: TerminalRun[] = []
  afterEach(() => {
    for (const run of runs) run.kill()
    runs = []
    scratch.remove()
  })

  const env = () => ({...scratch.env, JP_SESSION: 'tab', JP_ECHO_SCRIPT: join(scratch.path, 'steps.json')})
  const onTerminal = (...args: readonly string[]): TerminalRun => {
    const run = startOnTerminal(['query', '-n', 'x', ...args], {cwd: root, env: env()})
    runs.push(run)
    return run
  }
  const words = (): string[] => {
    const folder = join(root, '.jp', 'conversations')
    const [name = ''] = readdirSync(folder)
    const events = JSON.parse(readFileSync(join(folder, name, 'events.json'), 'utf8')) as {
      content?: string
      message?: string
    }[]
    return events.flatMap(({content, message}) => content ?? message ?? [])
  }

  it('W27: the first Ctrl-C asks; stop ends the turn with 130 and keeps what came', async () => {
    const run = onTerminal()
    await run.waitFor('slow 3')
    run.type('\u0003')
    await run.waitFor('Stop the turn')
    run.type('s')
    assert.equal(await run.exited, 130)
    assert.deepEqual(words().slice(0, 2), ['x', 'first words '])
    assert.match(words()[2] ?? '', /^slow 0 slow 1 slow 2 slow 3 /)
  })

  it('W27: continue goes on as if nothing had been pressed', async () => {
    const run = onTerminal()
    await run.waitFor('slow 3')
    run.type('\u0003')
    await run.waitFor('Continue')
    run.type('c')
    await run.waitFor('slow 20')
    run.kill()
  })

  it('W27: a reply ends the answer, keeps it, and is answered in the same turn', async () => {
    const run = onTerminal()
    await run.waitFor('slow 3')
    run.type('\u0003')
    await run.waitFor('Reply')
    run.type('r')
    await run.waitFor('Your message:')
    run.type('shorter please\r')
    assert.equal(await run.exited, 0)
    const [, , cut, reply, answer] = words()
    assert.match(cut ?? '', /^slow 0 /)
    assert.deepEqual([reply, answer], ['shorter please', 'shorter please'])
  })

  it('W27: abort ends the turn with 130 and drops what was being written', async () => {
    const run = onTerminal()
    await run.waitFor('slow 3')
    run.type('\u0003')
    await run.waitFor('Abort the turn')
    run.type('a')
    assert.equal(await run.exited, 130)
    assert.deepEqual(words(), ['x', 'first words '])
    assert.match(run.received, /Aborted; jp-c\d+ keeps what was stored before\./)
  })

  it('W27: with compose_in_editor the reply is written in the editor', async () => {
    const seen = join(scratch.path, 'seen')
    const script = scratch.write('edit.sh', `cp "$1" ${seen}\nprintf 'two\\n\\nparagraphs\\n' > "$1"\n`)
    const run = onTerminal(
      '-c',
      'interrupt.streaming.compose_in_editor:=true',
      '-c',
      'interrupt.streaming.action=reply',
      '-c',
      `editor.cmd=sh ${script}`,
    )
    await run.waitFor('slow 3')
    run.type('\u0003')
    assert.equal(await run.exited, 0)
    const [, , cut, reply, answer] = words()
    assert.match(cut ?? '', /^slow 0 /)
    assert.deepEqual([reply, answer], ['two\n\nparagraphs', 'two\n\nparagraphs'])
    assert.equal(readFileSync(seen, 'utf8'), '')
  })

  it('W27: an editor that fails writes no reply, and the answer goes on', async () => {
    const run = onTerminal(
      '-c',
      'interrupt.streaming.compose_in_editor:=true',
      '-c',
      'interrupt.streaming.action=reply',
      '-c',
      'editor.cmd=false',
    )
    await run.waitFor('slow 3')
    run.type('\u0003')
    await run.waitFor('The editor false ended with code 1')
    await run.waitFor('slow 20')
    run.kill()
  })

  it('W27: the second press stops at once, also inside the question', async () => {
    const run = onTerminal()
    await run.waitFor('slow 3')
    run.type('\u0003')
    await run.waitFor('Continue')
    run.type('\u0003')
    assert.equal(await run.exited, 130)
    assert.match(words()[2] ?? '', /^slow 0 /)
  })

  it('W27: JP_NON_INTERACTIVE asks nothing: the first press stops', async () => {
    const run = onTerminal('--non-interactive')
    await run.waitFor('slow 3')
    run.type('\u0003')
    assert.equal(await run.exited, 130)
    assert.doesNotMatch(run.received, /Continue/)
  })

  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 130],
    ['SIGHUP', 130],
    ['SIGQUIT', 131],
  ] as const) {
    it(`W27, Q2: without a terminal ${signal} keeps what came and ends with ${code}`, async () => {
      const child = spawn(process.execPath, [launcher, 'query', '-n', 'x'], {
        cwd: root,
        env: env(),
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: true,
      })
      let out = ''
      await new Promise<void>((resolve) => {
        child.stdout.on('data', (bytes: Buffer) => {
          out += bytes.toString()
          if (out.includes('slow 2')) resolve()
        })
      })
      child.kill(signal)
      assert.equal(await new Promise((resolve) => child.on('close', resolve)), code)
      assert.match(words()[2] ?? '', /^slow 0 slow 1 slow 2 /)
    })
  }

  it('W18: kill -9 keeps what was acknowledged, and the conversation goes on', async () => {
    scratch.write(
      'steps.json',
      JSON.stringify([{text: 'whole part'}, {text: 'slow {n} ', repeat: 10_000, delay_ms: 20}]),
    )
    const child = spawn(process.execPath, [launcher, 'query', '-n', '-F', 'json', 'x'], {
      cwd: root,
      env: env(),
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    let out = ''
    await new Promise<void>((resolve) => {
      child.stdout.on('data', (bytes: Buffer) => {
        out += bytes.toString()
        if (out.includes('"2 "')) resolve()
      })
    })
    child.kill('SIGKILL')
    await new Promise((resolve) => child.on('close', resolve))
    assert.deepEqual(words(), ['x', 'whole part'])
    const run = startOnTerminal(['query', 'again'], {cwd: root, env: {...env(), JP_ECHO_SCRIPT: ''}})
    assert.equal(await run.exited, 0)
    assert.deepEqual(words(), ['x', 'whole part', 'again', 'again'])
  })
})
