import assert from 'node:assert/strict'
import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {type Run, runJp} from '../support/jp.js'
import {type ModelServer, type Reply, startModelServer} from '../support/model-server.js'
import {createScratch, type Scratch} from '../support/scratch.js'
import {assertAnswered} from '../support/strict-wires.js'

const key = 'sk-canary-0123456789'

const wires = [
  {name: 'anthropic', wire: 'anthropic', model: 'anthropic/claude-sonnet-4-5', variable: 'ANTHROPIC_API_KEY'},
  {name: 'openai responses', wire: 'responses', model: 'openai/gpt-5', variable: 'OPENAI_API_KEY', api: 'responses'},
  {name: 'openai chat', wire: 'chat', model: 'openai/gpt-5', variable: 'OPENAI_API_KEY', api: 'chat'},
  {name: 'google', wire: 'google', model: 'google/gemini-2.5-pro', variable: 'GEMINI_API_KEY'},
] as const

describe('a provider behind jp query', () => {
  let server: ModelServer
  let scratch: Scratch
  // One compile cache for all runs: each has a HOME of its own.
  let shared: Scratch
  before(async () => {
    shared = createScratch()
    server = await startModelServer()
  })
  after(async () => {
    await server.close()
    shared.remove()
  })
  beforeEach(() => {
    scratch = createScratch()
  })
  afterEach(() => scratch.remove())

  type Wire = (typeof wires)[number]
  const envFor = (wire: Wire) => ({...scratch.env, XDG_CACHE_HOME: shared.path, [wire.variable]: key})
  /** Runs a query in a checkout of its own, against the server, as a user who configured it would. */
  const query = async (
    wire: Wire & {readonly more?: string},
    args: readonly string[],
    ...replies: readonly Reply[]
  ): Promise<Run> => {
    server.plays(...replies)
    const [provider = ''] = wire.model.split('/')
    const api = 'api' in wire ? `api = "${wire.api}"\n` : ''
    scratch.write(
      'home/.config/jp/config.toml',
      `[providers.llm.${provider}]\nbase_url = "${server.url}"\n${api}
[assistant.request]\nbase_backoff_ms = 1\nmax_retries = 1\nstream_idle_timeout_secs = 1\n${wire.more ?? ''}`,
    )
    const cwd = scratch.checkout('work', 'provi')
    // A title of its own: one that a model makes would take a reply.
    return runJp(['query', '--new', '--title', 'x', '--model', wire.model, ...args], {cwd, env: envFor(wire)})
  }
  /** Everything that jp wrote below HOME and the checkout, as one text. */
  const written = (): string =>
    readdirSync(scratch.path, {recursive: true, withFileTypes: true})
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
      .join('\n')

  for (const wire of wires) {
    describe(wire.name, () => {
      it('W24, W29: the answer is on stdout, and nothing else', async () => {
        const run = await query(wire, ['hello'], {says: {reasoning: 'Hm.', text: ['Hello ', 'wörld']}})
        assert.deepEqual([run.stdout, run.code], ['Hello wörld\n', 0], run.stderr)
        assert.match(written(), /Hm\./)
      })

      it('W24, W26: two tool calls at once are both run, and their results go back in their order', async () => {
        const calls = ['a', 'b'].map((id) => ({id, name: 'tell', arguments: {word: id.toUpperCase()}}))
        const tool = `[conversation.tools.tell]
source = "local"
run = "unattended"
command = "echo {{tool.arguments.word}}"
parameters.word = {type = "string", required = true}
`
        const run = await query(
          {...wire, more: tool},
          ['hello'],
          {says: {text: ['Both. '], calls}},
          {says: {text: ['Done.']}},
        )
        assert.deepEqual([run.stdout, run.code], ['Both. \n\nDone.\n', 0], run.stderr)
        const body = server.seen.at(-1)?.body ?? {}
        assertAnswered(wire.wire, body)
        assert.match(JSON.stringify(body), /A\\n[^]*B\\n/)
      })

      it('W24: structured output is the JSON', async () => {
        const schema = '{"type":"object","properties":{"name":{"type":"string"}}}'
        const run = await query(wire, ['--schema', schema, 'invent'], {says: {text: ['{"name":', '"Ada"}']}})
        assert.equal(run.code, 0, run.stderr)
        assert.deepEqual(JSON.parse(run.stdout), {name: 'Ada'})
      })

      const failures: readonly [string, readonly Reply[], number, string, RegExp][] = [
        [
          'a 401',
          [{status: 401, body: {error: {message: 'bad key', type: 'authentication_error'}}}],
          5,
          '',
          new RegExp(`refused the key in ${wire.variable} \\(401\\): bad key[^]*export ${wire.variable}=`),
        ],
        [
          'a lasting 429',
          [
            {
              status: 429,
              headers: {'retry-after': '0'},
              body: {error: {message: 'slow down', type: 'rate_limit_error'}},
            },
          ],
          6,
          '',
          /is asked too often \(429\): slow down[^]*Wait a little/,
        ],
        [
          'a cut stream',
          [{says: {text: ['so far']}, ends: 'cut'}],
          6,
          'so far\n',
          /broke off before its end[^]*What came is kept/,
        ],
        ['a stalled stream', [{says: {text: ['so far']}, ends: 'stalled'}], 6, 'so far\n', /sent nothing for 1 s/],
      ]
      for (const [what, replies, code, stdout, stderr] of failures) {
        it(`W24, Q2: ${what} ends with ${code} and its own words, and what came is kept`, async () => {
          const run = await query(wire, ['hello'], ...replies)
          assert.deepEqual([run.stdout, run.code], [stdout, code], run.stderr)
          assert.match(run.stderr, stderr)
          assert.doesNotMatch(run.stderr + run.stdout + written(), new RegExp(key))
          if (stdout !== '') assert.match(written(), /so far/)
        })
      }

      it('W24: a passing 429 is told on stderr, and the answer comes', async () => {
        const limited = {status: 429, headers: {'retry-after': '0'}, body: {error: {message: 'slow down'}}}
        const run = await query(wire, ['hello'], limited, {says: {text: ['there']}})
        assert.deepEqual([run.stdout, run.code], ['there\n', 0], run.stderr)
      })

      it('W24: a conversation goes on, with what was said', async () => {
        await query(wire, ['my name is Ada'], {says: {reasoning: 'Hm.', text: ['Hello Ada.']}})
        server.plays({says: {text: ['Ada.']}})
        const cwd = join(scratch.path, 'work')
        const env = envFor(wire)
        const {stdout} = await runJp(['c', 'ls', '--format', 'json'], {cwd, env})
        const [{id} = {id: ''}] = JSON.parse(stdout) as {id: string}[]
        const run = await runJp(['query', '--id', id, 'who am I?'], {cwd, env})
        assert.deepEqual([run.stdout, run.code], ['Ada.\n', 0], run.stderr)
        const sent = JSON.stringify(server.seen.at(-1)?.body)
        assert.match(sent, /my name is Ada[^]*Hello Ada\.[^]*who am I\?/)
      })
    })
  }
})
