import assert from 'node:assert/strict'
import type {LanguageModelV4, LanguageModelV4CallOptions} from '@ai-sdk/provider'
import {JpError} from '../../../src/errors/jp-error.js'
import type {ModelId} from '../../../src/platform/model-id.js'
import {openModel} from '../../../src/providers/open-model.js'
import type {
  ModelParameters,
  ProviderEntry,
  RequestSettings,
  RetryNotice,
} from '../../../src/providers/provider-settings.js'
import {mergeMetadata, toProviderOptions, toStoredMetadata} from '../../../src/turn/provider-metadata.js'
import {ask, call, providerDeps} from '../../support/model-call.js'
import {type ModelServer, startModelServer} from '../../support/model-server.js'

const key = 'sk-canary-0123456789'

/** One row a way to reach a model: its id, its entry, and what its wire sends. */
const wires: readonly {name: string; id: ModelId; entry: ProviderEntry; variable?: string; path: string}[] = [
  {
    name: 'anthropic',
    id: {provider: 'anthropic', name: 'claude-sonnet-4-5'},
    entry: {},
    variable: 'ANTHROPIC_API_KEY',
    path: '/v1/messages',
  },
  {
    name: 'openai responses',
    id: {provider: 'openai', name: 'gpt-5'},
    entry: {api: 'responses'},
    variable: 'OPENAI_API_KEY',
    path: '/v1/responses',
  },
  {
    name: 'openai chat',
    id: {provider: 'openai', name: 'gpt-5'},
    entry: {},
    variable: 'OPENAI_API_KEY',
    path: '/v1/chat/completions',
  },
  {
    name: 'google',
    id: {provider: 'google', name: 'gemini-2.5-pro'},
    entry: {},
    variable: 'GEMINI_API_KEY',
    path: '/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse',
  },
  {
    name: 'openrouter',
    id: {provider: 'openrouter', name: 'meta/llama'},
    entry: {},
    variable: 'OPENROUTER_API_KEY',
    path: '/v1/chat/completions',
  },
  {
    name: 'deepseek',
    id: {provider: 'deepseek', name: 'deepseek-chat'},
    entry: {},
    variable: 'DEEPSEEK_API_KEY',
    path: '/v1/chat/completions',
  },
  {
    name: 'cerebras',
    id: {provider: 'cerebras', name: 'gpt-oss-120b'},
    entry: {},
    variable: 'CEREBRAS_API_KEY',
    path: '/v1/chat/completions',
  },
  {
    name: 'xai',
    id: {provider: 'xai', name: 'grok-4'},
    entry: {},
    variable: 'XAI_API_KEY',
    path: '/v1/chat/completions',
  },
  {name: 'ollama', id: {provider: 'ollama', name: 'llama3.2'}, entry: {}, path: '/v1/chat/completions'},
  {name: 'llamacpp', id: {provider: 'llamacpp', name: 'any'}, entry: {}, path: '/v1/chat/completions'},
  {
    name: 'an openai-compatible one',
    id: {provider: 'lab', name: 'x'},
    entry: {type: 'openai-compatible', api_key_env: 'LAB_KEY'},
    variable: 'LAB_KEY',
    path: '/v1/chat/completions',
  },
]

/** A busy machine may take a while to answer: only a test of silence is impatient. */
const quick: RequestSettings = {base_backoff_ms: 1, max_backoff_secs: 1, stream_idle_timeout_secs: 10, max_retries: 2}

describe('providers on their wires', () => {
  let server: ModelServer
  before(async () => {
    server = await startModelServer()
  })
  after(() => server.close())

  type Row = (typeof wires)[number]
  const open = (
    row: Row,
    more: {
      parameters?: ModelParameters
      entry?: ProviderEntry
      request?: RequestSettings
      onRetry?: (notice: RetryNotice) => void
    } = {},
  ): Promise<LanguageModelV4> =>
    openModel(
      row.id,
      {
        providers: {[row.id.provider]: {base_url: server.url, ...row.entry, ...more.entry}},
        parameters: more.parameters,
        request: {...quick, ...more.request},
      },
      providerDeps(row.variable === undefined ? {} : {[row.variable]: key}, {onRetry: more.onRetry}),
    )
  const seen = () => server.seen.at(-1) ?? assert.fail('nothing was asked')
  const rejected = (error: unknown): JpError => {
    assert.ok(error instanceof JpError, String(error))
    assert.ok(!JSON.stringify([error, error.message, error.hint, error.cause]).includes(key), 'the key is told')
    return error
  }

  for (const row of wires) {
    describe(row.name, () => {
      it('W24: streams reasoning and text, tells the usage, and sends the key', async () => {
        server.plays({says: {reasoning: 'Let me think.', text: ['Hel', 'lo ', 'wörld']}})
        const answer = await call(await open(row), {prompt: ask('hi')})
        assert.equal(answer.error, undefined)
        assert.equal(answer.text, 'Hello wörld')
        assert.equal(answer.reasoning, 'Let me think.')
        assert.equal(answer.finish, 'stop')
        const finish = answer.parts.at(-1)
        assert.ok(finish?.type === 'finish')
        assert.deepEqual([finish.usage.inputTokens.total, finish.usage.outputTokens.total], [11, 7])
        assert.equal(seen().path, row.path)
        const {authorization, 'x-api-key': apiKey, 'x-goog-api-key': googleKey} = seen().headers
        const sent = String(apiKey ?? googleKey ?? authorization?.slice('Bearer '.length))
        assert.equal(sent, row.variable === undefined ? 'undefined' : key)
      })

      it('W24: two tool calls at once', async () => {
        const calls = [
          {id: 'call_a', name: 'read', arguments: {path: 'a "b".txt'}},
          {id: 'call_b', name: 'read', arguments: {path: 'ü'}},
        ]
        server.plays({says: {text: ['I will look.'], calls}})
        const tools: LanguageModelV4CallOptions['tools'] = [
          {type: 'function', name: 'read', inputSchema: {type: 'object', properties: {path: {type: 'string'}}}},
        ]
        const answer = await call(await open(row), {prompt: ask('read both'), tools})
        assert.equal(answer.error, undefined)
        assert.deepEqual(
          answer.calls.map(({name, input}) => ({name, arguments: JSON.parse(input) as unknown})),
          calls.map(({name, arguments: input}) => ({name, arguments: input})),
        )
        assert.equal(new Set(answer.calls.map(({id}) => id)).size, 2)
        assert.equal(answer.finish, 'tool-calls')
      })

      it('W24: structured output', async () => {
        server.plays({says: {text: ['{"titles":', '["One"]}']}})
        const schema = {type: 'object' as const, properties: {titles: {type: 'array' as const}}, required: ['titles']}
        const answer = await call(await open(row), {prompt: ask('title'), responseFormat: {type: 'json', schema}})
        assert.equal(answer.error, undefined)
        assert.deepEqual(JSON.parse(answer.text), {titles: ['One']})
        assert.match(JSON.stringify(seen().body), /titles/)
      })

      it('W24: a 401 names the variable, once, and does not tell the key', async () => {
        server.plays({
          status: 401,
          body: {
            error: {message: row.variable === undefined ? 'bad key' : `bad key ${key}`, type: 'authentication_error'},
          },
        })
        const before = server.seen.length
        const error = rejected((await call(await open(row), {prompt: ask('hi')})).error)
        assert.equal(error.code, 'provider_unauthorised')
        assert.match(error.message, row.variable === undefined ? /wants a key \(401\)/ : new RegExp(row.variable))
        assert.match(
          error.hint ?? '',
          row.variable === undefined ? /api_key_env/ : new RegExp(`^export ${row.variable}=`),
        )
        assert.equal(server.seen.length - before, 1)
      })

      it('W24: a 429 is asked again after the time that it names, with a notice, and a lasting one is told', async () => {
        const limited = {
          status: 429,
          headers: {'retry-after': '0.05'},
          body: {error: {message: 'slow down', type: 'rate_limit_error', code: 429, status: 'RESOURCE_EXHAUSTED'}},
        }
        const notices: RetryNotice[] = []
        server.plays(limited, {says: {text: ['there']}})
        const model = await open(row, {onRetry: (notice) => notices.push(notice)})
        assert.equal((await call(model, {prompt: ask('hi')})).text, 'there')
        assert.deepEqual(
          notices.map(({retry, ofRetries, delayMs}) => ({retry, ofRetries, delayMs})),
          [{retry: 1, ofRetries: 2, delayMs: 50}],
        )
        assert.match(notices[0]?.reason ?? '', /is asked too often \(429\): slow down/)
        server.plays(limited)
        const error = rejected((await call(model, {prompt: ask('hi')})).error)
        assert.equal(error.code, 'provider_rate_limited')
        assert.match(error.hint ?? '', /^Wait a little/)
        assert.equal(notices.length, 3)
      })

      for (const ends of ['cut', 'unfinished'] as const) {
        it(`W24: a stream that ends ${ends} keeps what came, and is not asked for again`, async () => {
          server.plays({says: {text: ['so ', 'far']}, ends})
          const before = server.seen.length
          const answer = await call(await open(row), {prompt: ask('hi')})
          assert.equal(answer.text, 'so far')
          const error = rejected(answer.error)
          assert.equal(error.code, 'provider_stream_cut')
          assert.match(error.message, /^The answer of .* broke off before its end\.$/)
          assert.match(error.hint ?? '', /^What came is kept\./)
          assert.equal(answer.parts.at(-1)?.type, 'error')
          assert.equal(server.seen.length - before, 1)
        })

        it(`W24: a stream that ends ${ends} before anything came is asked for again`, async () => {
          server.plays({says: {}, ends}, {says: {text: ['there']}})
          const answer = await call(await open(row), {prompt: ask('hi')})
          assert.equal(answer.error, undefined)
          assert.equal(answer.text, 'there')
          assert.equal(answer.parts.filter((part) => part.type === 'stream-start').length, 1)
        })
      }

      it('W24: a stalled stream is given up, and what came is kept', async () => {
        server.plays({says: {text: ['so far']}, ends: 'stalled'})
        const answer = await call(await open(row, {request: {stream_idle_timeout_secs: 1.2}}), {prompt: ask('hi')})
        assert.equal(answer.text, 'so far')
        const error = rejected(answer.error)
        assert.equal(error.code, 'provider_stalled')
        assert.match(error.message, /sent nothing for 1\.2 s\.$/)
      })

      it('W24, W27: an abort ends the call at once', async () => {
        server.plays({says: {text: ['so far']}, ends: 'stalled'})
        const controller = new AbortController()
        const answer = await call(
          await open(row),
          {prompt: ask('hi'), abortSignal: controller.signal},
          (part) => part.type === 'text-delta' && controller.abort('enough'),
        )
        assert.equal(answer.text, 'so far')
        assert.equal(answer.error, 'enough')
      })

      it('W24: a lasting failure of the server is told with its words', async () => {
        server.plays({status: 503, body: {error: {message: 'overloaded', type: 'overloaded_error', code: 503}}})
        const before = server.seen.length
        const error = rejected((await call(await open(row), {prompt: ask('hi')})).error)
        assert.equal(error.code, 'provider_failed')
        assert.match(error.message, /has a failure of its own \(503\): overloaded$/)
        assert.equal(server.seen.length - before, 3)
      })

      it('W24: a closed port is told at once, with the address', async () => {
        const gone = await startModelServer()
        await gone.close()
        const error = rejected((await call(await open(row, {entry: {base_url: gone.url}}), {prompt: ask('hi')})).error)
        assert.equal(error.code, 'provider_unreachable')
        assert.match(error.message, new RegExp(`^Can't reach .* at ${gone.url}/v1(?:beta)?: nobody listens there\\.$`))
      })

      for (const suffix of ['/v1', '/v1/', '/']) {
        it(`W24: base_url may end with ${suffix}`, async () => {
          server.plays({says: {text: ['x']}})
          await call(await open(row, {entry: {base_url: server.url + suffix}}), {prompt: ask('hi')})
          assert.equal(seen().path, suffix === '/' ? row.path : row.path.replace('/v1beta/', '/v1/'))
        })
      }

      if (row.variable !== undefined) {
        it('W24: a missing key names the variable before anything is asked', async () => {
          const settings = {providers: {[row.id.provider]: {...row.entry, base_url: server.url}}}
          await assert.rejects(openModel(row.id, settings, providerDeps()), {
            code: 'provider_key_missing',
            message: new RegExp(`${row.variable}.* is not set\\.$`),
            hint: `export ${row.variable}=…`,
          })
        })
      }
    })
  }

  for (const name of ['anthropic', 'openai responses', 'google']) {
    it(`W24: ${name} gets back what it wants unchanged`, async () => {
      const row = wires.find((wire) => wire.name === name) ?? assert.fail()
      const calls = [{id: 'call_a', name: 'read', arguments: {}}]
      server.plays({says: {reasoning: 'Let me think.', calls}}, {says: {text: ['done']}})
      const model = await open(row)
      const first = await call(model, {prompt: ask('hi')})
      const given = (type: string) =>
        toStoredMetadata(
          first.parts
            .filter((part) => part.type.startsWith(type))
            .reduce((known, part) => mergeMetadata(known, 'providerMetadata' in part ? part.providerMetadata : {}), {}),
        ) ?? {}
      const [metadata, ofCall] = [given('reasoning'), given('tool-call')]
      assert.deepEqual([metadata, ofCall], expectedMetadata[name])
      const [{id, name: toolName} = assert.fail()] = first.calls
      const prompt: LanguageModelV4CallOptions['prompt'] = [
        ...ask('hi'),
        {
          role: 'assistant',
          content: [
            {type: 'reasoning', text: first.reasoning, providerOptions: toProviderOptions(metadata) ?? {}},
            {type: 'tool-call', toolCallId: id, toolName, input: {}, providerOptions: toProviderOptions(ofCall) ?? {}},
          ],
        },
        {role: 'tool', content: [{type: 'tool-result', toolCallId: id, toolName, output: {type: 'text', value: 'ok'}}]},
      ]
      assert.equal((await call(model, {prompt})).text, 'done')
      assert.match(JSON.stringify(seen().body), echoed[name] ?? /$^/)
    })
  }
})

describe('thoughts kept at OpenAI', () => {
  it('W24: those whose content is not here are left out, a summary in pieces is not', async () => {
    const server = await startModelServer()
    try {
      server.plays({says: {text: ['x']}})
      const model = await openModel(
        {provider: 'openai', name: 'gpt-5'},
        {providers: {openai: {base_url: server.url, api: 'responses'}}},
        providerDeps({OPENAI_API_KEY: key}),
      )
      const thought = (text: string, openai: Record<string, string>) => ({
        type: 'reasoning' as const,
        text,
        providerOptions: {openai},
      })
      const content = [
        thought('lost', {itemId: 'rs_lost'}),
        thought('first', {itemId: 'rs_1'}),
        thought('second', {itemId: 'rs_1', reasoningEncryptedContent: 'ZW5j'}),
      ]
      await call(model, {prompt: [...ask('a'), {role: 'assistant', content}, ...ask('b')]})
      const body = JSON.stringify(server.seen.at(-1)?.body)
      assert.doesNotMatch(body, /lost/)
      assert.match(body, /"text":"first".*"text":"second"/)
      assert.match(body, /"encrypted_content":"ZW5j"/)
    } finally {
      await server.close()
    }
  })
})

const expectedMetadata: Readonly<Record<string, [object, object]>> = {
  anthropic: [{anthropic_thinking_signature: 'c2lnbmF0dXJl'}, {}],
  'openai responses': [
    {openai_item_id: 'rs_1', openai_encrypted_content: 'ZW5jcnlwdGVk'},
    {openai_item_id: 'fc_call_a'},
  ],
  google: [{}, {google_thought_signature: 'dGhvdWdodA=='}],
}

const echoed: Readonly<Record<string, RegExp>> = {
  anthropic: /"type":"thinking","thinking":"Let me think.","signature":"c2lnbmF0dXJl"/,
  'openai responses': /"type":"reasoning","id":"rs_1","encrypted_content":"ZW5jcnlwdGVk"/,
  google: /"thoughtSignature":"dGhvdWdodA=="/,
}
