import assert from 'node:assert/strict'
import {spawn} from 'node:child_process'
import {join} from 'node:path'
import {exampleAgent, startDaemon, type TestDaemon} from '../support/daemon.js'
import {repository, sharedFolder} from '../support/jp.js'
import {createScratch, type Scratch} from '../support/scratch.js'

const sdk = join(repository, 'node_modules', '@qwen-code', 'sdk')

/** Runs the compatibility checks of the shared folder against a daemon; gives their last lines. */
const runChecks = (tool: string, daemon: TestDaemon, scratch: Scratch): Promise<string[]> =>
  new Promise((resolve, reject) => {
    const auth = daemon.token === undefined ? [] : ['--token', daemon.token]
    const args = [tool, daemon.url, join(scratch.path, 'a'), join(scratch.path, 'b'), sdk, ...auth]
    const child = spawn(process.execPath, args, {env: {...scratch.env}, stdio: ['ignore', 'pipe', 'inherit']})
    let text = ''
    child.stdout.on('data', (bytes) => {
      text += bytes
    })
    child.on('error', reject)
    child.on('close', () => {
      const lines = text.trimEnd().split('\n')
      resolve(lines.filter((line, index) => line.startsWith('FAIL') || index === lines.length - 1))
    })
  })

/** Starts the loopback model server of the shared folder. */
const startModel = (tool: string): Promise<{port: number; stop(): void}> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [tool, '--port', '0'], {stdio: ['ignore', 'pipe', 'inherit']})
    child.on('error', reject)
    child.stdout.on('data', (bytes) => {
      const port = /LISTENING (\d+)/.exec(String(bytes))?.[1]
      if (port !== undefined) resolve({port: Number(port), stop: () => void child.kill()})
    })
  })

/** A user's configuration with that model, and the tool that it asks for. */
const configFor = (port: number): string => `
[assistant.model]
id = "fake/fake"
[providers.llm.fake]
type = "openai-compatible"
base_url = "http://127.0.0.1:${port}/v1"
[conversation.tools.run_shell_command]
source = "local"
summary = "Run a shell command."
command = {program = "true"}
[conversation.tools.run_shell_command.parameters]
command = {type = "string", required = true}
description = {type = "string"}
is_background = {type = "boolean"}
`

describe('jp serve: the checks of the contract', function () {
  let scratch: Scratch
  beforeEach(() => {
    scratch = createScratch()
    scratch.checkout('a', 'aaaaa')
    scratch.checkout('b', 'bbbbb')
  })
  afterEach(() => scratch.remove())

  for (const auth of [[], ['--no-auth']]) {
    const how = auth[0] ?? 'with a token'

    it(`D11 to D21, D27: 77 checks through the real client over jp acp and a model server, ${how}`, async function () {
      const shared = sharedFolder()
      if (shared === undefined) return this.skip()
      const model = await startModel(join(shared, 'tools', 'fake-model.mjs'))
      try {
        scratch.write('home/.config/jp/config.toml', configFor(model.port))
        const daemon = await startDaemon(scratch, ['-w', 'a', '-w', 'b', ...auth], {env: {JP_TRUST_WORKSPACE: '1'}})
        const last = await runChecks(join(shared, 'tools', 'daemon-sdk-smoke.mjs'), daemon, scratch)
        assert.deepEqual(last, ['77 passed, 0 failed'])
        await daemon.stop()
      } finally {
        model.stop()
      }
    })

    it(`D11 to D21: 77 checks through the real client over another agent, ${how}`, async function () {
      const shared = sharedFolder()
      if (shared === undefined) return this.skip()
      const agent = exampleAgent('--store', join(scratch.path, 'store'))
      const daemon = await startDaemon(scratch, ['-w', 'a', '-w', 'b', '--agent', agent, ...auth], {
        env: {JP_TRUST_WORKSPACE: '1'},
      })
      const last = await runChecks(join(shared, 'tools', 'daemon-sdk-smoke.mjs'), daemon, scratch)
      assert.deepEqual(last, ['77 passed, 0 failed'])
      await daemon.stop()
    })
  }
})
