import assert from 'node:assert/strict'
import {execFileSync, spawn} from 'node:child_process'
import {createHash} from 'node:crypto'
import {once} from 'node:events'
import {closeSync, constants, openSync, writeSync} from 'node:fs'
import {join} from 'node:path'
import {pause} from '../../src/platform/pause.js'
import {launcher, runJp} from '../support/jp.js'
import {createScratch, type Scratch} from '../support/scratch.js'

const jp = `"${process.execPath}" "${launcher}"`

/** Registers checkouts as runs of jp would have, so that a listing is long. */
const registerCheckouts = (scratch: Scratch, count: number): void => {
  for (let at = 0; at < count; at++) {
    const root = scratch.checkout(`src/a-rather-long-name-of-a-checkout-${at}`, 'pipes')
    const key = createHash('sha256').update(root).digest('hex').slice(0, 16)
    const record = JSON.stringify({path: root, last_used: new Date(at).toISOString()})
    scratch.write(join('home/.local/share/jp/workspace/src-pipes/roots', `${key}.json`), record)
  }
}

/** Runs a command line in bash with pipefail; gives stdout, and stderr and the exit code behind it. */
const shell = (scratch: Scratch, line: string): string =>
  execFileSync('bash', ['-c', `set -o pipefail; cd "${scratch.path}"; { ${line} ; } 2>err; echo "exit $?"; cat err`], {
    env: scratch.env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })

const isFull = (pipe: number): boolean => {
  try {
    writeSync(pipe, 'y')
    return false
  } catch {
    return true
  }
}

describe('pipes', () => {
  let scratch: Scratch
  before(() => {
    scratch = createScratch()
    registerCheckouts(scratch, 1200)
  })
  after(() => scratch.remove())

  it('Q8, FR-54: a reader that closes early ends the output quietly with 0', () => {
    for (const line of [
      `${jp} w ls | head -1`,
      `${jp} w ls -F json | head -c 10`,
      `${jp} --help | head -1`,
      `${jp} w ls 2>&1 | head -1`,
    ]) {
      assert.match(shell(scratch, line), /\nexit 0\n$|^.{10}exit 0\n$/, line)
    }
  })

  it('FR-54: an output that can not be written is one line and exit 1', () => {
    for (const line of [`${jp} w ls > /dev/full`, `${jp} --help > /dev/full`]) {
      assert.equal(shell(scratch, line), "exit 1\nError: Can't write the output: the disk is full.\n", line)
    }
  })

  it('Q3, FR-54: with --format json an output that can not be written is one JSON error and exit 1', () => {
    for (const line of [
      `${jp} w ls -F json > /dev/full`,
      `(cd src/a*-0; ${jp} query -n -m echo/echo -F json x > /dev/full)`,
    ]) {
      const [exit, error = '', ...rest] = shell(scratch, line).split('\n')
      assert.equal(exit, 'exit 1', line)
      const body = {code: 'output_failed', message: "Can't write the output: the disk is full.", exit_code: 1}
      assert.deepEqual([JSON.parse(error), rest], [body, ['']], line)
    }
  })

  it('Q1: a slow reader of a long output loses nothing', () => {
    const whole = shell(scratch, `${jp} w ls -F json | wc -c`)
    const slow = shell(scratch, `${jp} w ls -F json | { sleep 1; cat; } | wc -c`)
    assert.equal(slow, whole)
    assert.ok(Number.parseInt(whole, 10) > 100_000, whole)
  })

  it('W27, FR-54: a turn whose reader takes nothing more still hears signals', async () => {
    const checkout = join(scratch.path, 'src/a-rather-long-name-of-a-checkout-0')
    const pipe = join(scratch.path, 'stuck')
    execFileSync('mkfifo', [pipe])
    // Open for both, so that jp finds a reader; nobody reads.
    const held = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK)
    const writing = openSync(pipe, constants.O_WRONLY)
    const child = spawn(process.execPath, [launcher, 'query', '-n', '-m', 'echo/echo'], {
      cwd: checkout,
      env: scratch.env,
      stdio: ['pipe', writing, 'ignore'],
      detached: true,
    })
    const ended = once(child, 'close')
    child.stdin?.end('x'.repeat(200_000))
    try {
      while (!isFull(held)) await pause(20)
      // The first asks for an end with nothing lost, the next one ends it.
      for (let sent = 0; sent < 100 && child.exitCode === null; sent++) {
        child.kill('SIGTERM')
        await Promise.race([ended, pause(100)])
      }
      assert.equal(child.exitCode, 130)
    } finally {
      child.kill('SIGKILL')
      closeSync(writing)
      closeSync(held)
    }
  })

  it('FR-55: a command that takes no content leaves stdin to the loop around it', () => {
    const out = shell(
      scratch,
      `printf 'a\\nb\\nc\\n' | while read -r line; do ${jp} w ls -F json >/dev/null; echo "$line"; done`,
    )
    assert.equal(out, 'a\nb\nc\nexit 0\n')
  })

  it('FR-55: a target that was not typed is not taken from stdin either', () => {
    const loop = `while read -r line; do ${jp} c ls; echo "$line"; done`
    scratch.checkout('apart', 'apart')
    const out = shell(scratch, `(cd apart; printf 'jp-c1\njp-c2\n' | ${loop})`)
    const none = 'No conversations. Run "jp query --new TEXT" to start one.\n'
    assert.equal(out, `jp-c1\njp-c2\nexit 0\n${none}${none}`)
  })

  it('FR-56: an open pipe that nobody writes does not hang a command that takes no content', () => {
    const out = shell(scratch, `mkfifo pipe; exec 9<>pipe; timeout 60 ${jp} w ls -F json <&9 >/dev/null`)
    assert.equal(out, 'exit 0\n')
  })

  it('Q3: an error in JSON is one object on stderr with code, message, hint and exit_code', async () => {
    const {stdout, stderr, code} = await runJp(['w', 'lss', '-F', 'json'], {cwd: scratch.path, env: scratch.env})
    assert.deepEqual([stdout, code], ['', 2])
    assert.deepEqual(JSON.parse(stderr), {
      code: 'command_not_found',
      message: 'There is no command "jp workspace lss".',
      hint: 'Did you mean "jp workspace ls"?',
      exit_code: 2,
    })
  })

  it('Q8: FORCE_COLOR colours a pipe, NO_COLOR and --no-color win, a pipe alone has none', async () => {
    const options = (env: Readonly<Record<string, string>>) => ({cwd: scratch.path, env: {...scratch.env, ...env}})
    const stderr = async (args: readonly string[], env: Readonly<Record<string, string>>) =>
      (await runJp(args, options(env))).stderr
    assert.match(await stderr(['w', 'lss'], {FORCE_COLOR: '1'}), /^\u001b\[31mError:/)
    assert.match(await stderr(['w', 'lss'], {FORCE_COLOR: '1', NO_COLOR: '1'}), /^Error:/)
    assert.match(await stderr(['--no-color', 'w', 'lss'], {FORCE_COLOR: '1'}), /^Error:/)
    assert.match(await stderr(['w', 'lss'], {}), /^Error:/)
  })
})
