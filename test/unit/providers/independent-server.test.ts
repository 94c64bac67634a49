import assert from 'node:assert/strict'
import type {LanguageModelV4, LanguageModelV4CallOptions} from '@ai-sdk/provider'
import {LLMock} from '@copilotkit/aimock'
import {JpError} from '../../../src/errors/jp-error.js'
import {openModel} from '../../../src/providers/open-model.js'
import {mergeMetadata, toProviderOptions, toStoredMetadata} from '../../../src/turn/provider-metadata.js'
import {ask, call, providerDeps} from '../../support/model-call.js'

const wires = [
  {name: 'anthropic', id: {provider: 'anthropic', name: 'claude-sonnet-4-5'}, env: {ANTHROPIC_API_KEY: 'k'}},
  {name: 'openai responses', id: {provider: 'openai', name: 'gpt-5'}, api: 'responses', env: {OPENAI_API_KEY: 'k'}},
  {name: 'openai chat', id: {provider: 'openai', name: 'gpt-5'}, api: 'chat', env: {OPENAI_API_KEY: 'k'}},
  {name: 'google', id: {provider: 'google', name: 'gemini-2.5-pro'}, env: {GEMINI_API_KEY: 'k'}},
  {name: 'ollama', id: {provider: 'ollama', name: 'llama3.2'}, env: {}},
] as const

/** The wires once more, against a server that others wrote: what test/support/wire-frames.ts has wrong shows here. */
describe('providers against an independent server', () => {
  let mock: LLMock
  before(async () => {
    mock = new LLMock({port: 0, logLevel: 'silent'})
    const toolCalls = [
      {name: 'read', arguments: '{"path":"a"}'},
      {name: 'read', arguments: '{"path":"b"}'},
    ]
    mock.on({userMessage: 'read both', hasToolResult: true}, {content: 'Both are read.'})
    mock.onMessage('read both', {content: 'I will look.', toolCalls, reasoning: 'Two files.'})
    mock.onMessage('hello', {content: 'Hi thére 🟢!', reasoning: 'A greeting.'})
    mock.onMessage('limited', {error: {message: 'slow down', type: 'rate_limit_error'}, status: 429})
    mock.onMessage(
      'cut',
      {content: 'A long answer that does not come to its end.'},
      {chunkSize: 5, truncateAfterChunks: 8, latency: 10},
    )
    await mock.start()
  })
  after(() => mock.stop())

  type Row = (typeof wires)[number]
  const open = (row: Row): Promise<LanguageModelV4> =>
    openModel(
      row.id,
      {
        providers: {[row.id.provider]: {base_url: mock.url, ...('api' in row ? {api: row.api} : {})}},
        request: {base_backoff_ms: 1, max_retries: 1, max_backoff_secs: 0.01},
        parameters: {reasoning: 'auto'},
      },
      providerDeps(row.env),
    )
  const tools: LanguageModelV4CallOptions['tools'] = [
    {type: 'function', name: 'read', inputSchema: {type: 'object', properties: {path: {type: 'string'}}}},
  ]

  for (const row of wires) {
    it(`W24: ${row.name} says what it is told, thoughts apart`, async () => {
      const answer = await call(await open(row), {prompt: ask('hello')})
      assert.equal(answer.error, undefined)
      assert.deepEqual([answer.text, answer.reasoning, answer.finish], ['Hi thére 🟢!', 'A greeting.', 'stop'])
    })

    it(`W24: ${row.name} goes through a cycle of two tool calls`, async () => {
      const model = await open(row)
      const first = await call(model, {prompt: ask('read both'), tools})
      assert.equal(first.error, undefined)
      assert.deepEqual(
        first.calls.map(({name, input}) => [name, JSON.parse(input) as unknown]),
        [
          ['read', {path: 'a'}],
          ['read', {path: 'b'}],
        ],
      )
      const kept = (type: string) => {
        const parts = first.parts.filter((part) => part.type.startsWith(type))
        const all = parts.reduce(
          (known, part) => mergeMetadata(known, 'providerMetadata' in part ? part.providerMetadata : undefined),
          {},
        )
        return toProviderOptions(toStoredMetadata(all)) ?? {}
      }
      const second = await call(model, {
        tools,
        prompt: [
          ...ask('read both'),
          {
            role: 'assistant',
            content: [
              {type: 'reasoning', text: first.reasoning, providerOptions: kept('reasoning')},
              {type: 'text', text: first.text},
              ...first.calls.map(({id, name, input}) => ({
                type: 'tool-call' as const,
                toolCallId: id,
                toolName: name,
                input: JSON.parse(input) as unknown,
                providerOptions: kept('tool-call'),
              })),
            ],
          },
          {
            role: 'tool',
            content: first.calls.map(({id, name}) => ({
              type: 'tool-result' as const,
              toolCallId: id,
              toolName: name,
              output: {type: 'text' as const, value: 'text'},
            })),
          },
        ],
      })
      assert.equal(second.error, undefined)
      assert.equal(second.text, 'Both are read.')
    })

    it(`W24: ${row.name} tells a 429, and what came before a cut`, async () => {
      const model = await open(row)
      const limited = await call(model, {prompt: ask('limited')})
      assert.ok(limited.error instanceof JpError)
      assert.equal(limited.error.code, 'provider_rate_limited')
      const cut = await call(model, {prompt: ask('cut')})
      assert.ok(cut.error instanceof JpError)
      assert.equal(cut.error.code, 'provider_stream_cut')
      assert.match(cut.text, /^A lon/)
    })
  }
})
