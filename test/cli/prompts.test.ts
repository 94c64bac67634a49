import assert from 'node:assert/strict'
import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {launcher} from '../support/jp.js'
import {load, loadable} from '../support/load.js'
import {startOnTerminal} from '../support/pty.js'
import {createScratch, type Scratch} from '../support/scratch.js'

describe('questions on a terminal', () => {
  let scratch: Scratch
  beforeEach(() => {
    scratch = createScratch()
  })
  afterEach(() => scratch.remove())

  for (const [signal, code] of [
    ['SIGTERM', 143],
    ['SIGHUP', 129],
    ['SIGINT', 130],
  ] as const) {
    it(`W9: ${signal} in the middle of a question ends the run and gives the terminal back`, async () => {
      const line =
        `sh -c 'echo $$ > pid; exec "${process.execPath}" "${launcher}" init'; ` +
        `echo "code $?"; stty -a | tr ' ' '\\n' | grep -x -e -icanon -e icanon; echo the end`
      const started = startOnTerminal([line], {cwd: scratch.path, env: scratch.env, shell: true})
      await started.waitFor('run it unattended')
      process.kill(Number(readFileSync(join(scratch.path, 'pid'), 'utf8')), signal)
      await started.waitFor('the end')
      await started.exited
      assert.match(started.received, new RegExp(`\\[\\?25h[^]*code ${code}\r\nicanon\r\nthe end\r\n$`))
    })
  }

  it('W9: keys answer at once, arrows and Enter answer too, other keys do nothing', async () => {
    const place = scratch.folder('place')
    const started = startOnTerminal(['init', '--user-name', 'x', '--local'], {cwd: place, env: scratch.env})
    await started.waitFor('u  run it unattended')
    started.type('zA')
    started.type('\u001b[B')
    await started.waitFor(/> u {2}run it unattended/)
    started.type('\r')
    await started.waitFor('Which model should answer?')
    await started.waitFor('n  none yet')
    started.type('o')
    await started.waitFor('Model (PROVIDER/NAME):')
    started.type('nonsense\r')
    await started.waitFor('Write PROVIDER/NAME.')
    started.type('\u0015ollama/llama3:8b\r')
    assert.equal(await started.exited, 0, started.received)
    const config = readFileSync(join(place, '.jp', 'config.toml'), 'utf8')
    assert.match(config, /provider = "ollama"\nname = "llama3:8b"\n/)
    assert.match(config, /run = "unattended"\n/)
  })

  it('W31: what a folder is called can neither move the cursor nor hide in a question', async () => {
    const evil = loadable(scratch, 'evil\u001b[2J\u202etxt', 'ev1lx')
    const plain = loadable(scratch, 'plain', 'pl41n')
    const env = {...scratch.env, JP_SESSION: 'tab'}
    const run = async (cwd: string, ...args: string[]): Promise<void> => {
      const started = startOnTerminal(args, {cwd, env, columns: 300})
      assert.equal(await started.exited, 0, started.received)
    }
    await run(evil, ...load)
    await run(plain, 'w', 'use', plain)
    const started = startOnTerminal(load, {cwd: evil, env, columns: 300})
    await started.waitFor('Where should this run?')
    await started.waitFor('q  quit')
    assert.ok(started.received.includes('evil<U+001B>[2J<U+202E>txt (ev1lx)'))
    assert.ok(!started.received.includes('\u001b[2J') && !started.received.includes('\u202e'))
    started.type('q')
    assert.equal(await started.exited, 1)
  })
})
