import assert from 'node:assert/strict'
import {openModel} from '../../../src/providers/open-model.js'
import type {ModelParameters, ReasoningSetting} from '../../../src/providers/provider-settings.js'
import {ask, call, providerDeps} from '../../support/model-call.js'
import {type ModelServer, startModelServer} from '../../support/model-server.js'

const env = {
  ANTHROPIC_API_KEY: 'k',
  OPENAI_API_KEY: 'k',
  GEMINI_API_KEY: 'k',
  OPENROUTER_API_KEY: 'k',
  DEEPSEEK_API_KEY: 'k',
}

describe('model parameters', () => {
  let server: ModelServer
  before(async () => {
    server = await startModelServer()
    server.plays({says: {text: ['x']}})
  })
  after(() => server.close())

  /** The body that was sent for these parameters. */
  const sent = async (
    model: string,
    parameters: ModelParameters,
    api?: 'responses',
  ): Promise<Record<string, unknown>> => {
    const [provider = '', name = ''] = model.split('/')
    const entry = {base_url: server.url, ...(api === undefined ? {} : {api})}
    const opened = await openModel({provider, name}, {providers: {[provider]: entry}, parameters}, providerDeps(env))
    assert.equal((await call(opened, {prompt: ask('hi')})).error, undefined)
    return {...server.seen.at(-1)?.body}
  }
  const pick = (body: Record<string, unknown>, ...keys: readonly string[]): Record<string, unknown> =>
    Object.fromEntries(keys.filter((key) => key in body).map((key) => [key, body[key]]))

  const common: ModelParameters = {
    max_tokens: 100,
    temperature: 0.5,
    top_p: 0.9,
    top_k: 40,
    stop_words: ['END'],
    seed_x: 7,
  }

  it('W24: the common parameters and any other key reach each wire', async () => {
    assert.deepEqual(
      pick(
        await sent('anthropic/claude-3-5-haiku-latest', {...common, top_p: undefined}),
        'max_tokens',
        'temperature',
        'top_k',
        'stop_sequences',
        'seed_x',
      ),
      {
        max_tokens: 100,
        temperature: 0.5,
        top_k: 40,
        stop_sequences: ['END'],
        seed_x: 7,
      },
    )
    assert.deepEqual(
      pick(await sent('ollama/x', common), 'max_tokens', 'temperature', 'top_p', 'top_k', 'stop', 'seed_x'),
      {
        max_tokens: 100,
        temperature: 0.5,
        top_p: 0.9,
        top_k: 40,
        stop: ['END'],
        seed_x: 7,
      },
    )
    assert.deepEqual(
      pick(
        await sent('openai/gpt-4.1', common, 'responses'),
        'max_output_tokens',
        'temperature',
        'top_p',
        'seed_x',
        'store',
      ),
      {
        max_output_tokens: 100,
        temperature: 0.5,
        top_p: 0.9,
        seed_x: 7,
        store: false,
      },
    )
    const google = await sent('google/gemini-2.5-flash', {...common, generationConfig: {candidateCount: 1}})
    assert.deepEqual(google['generationConfig'], {
      maxOutputTokens: 100,
      temperature: 0.5,
      topK: 40,
      topP: 0.9,
      stopSequences: ['END'],
      candidateCount: 1,
    })
    assert.equal(google['seed_x'], 7)
  })

  const rows: readonly [string, ReasoningSetting, Record<string, unknown>, 'responses'?][] = [
    ['anthropic/claude-sonnet-4-5', 'off', {thinking: {type: 'disabled'}}],
    ['anthropic/claude-sonnet-4-5', {effort: 5000}, {thinking: {type: 'enabled', budget_tokens: 5000}}],
    ['anthropic/claude-sonnet-4-5', {effort: 10}, {thinking: {type: 'enabled', budget_tokens: 1024}}],
    ['anthropic/claude-opus-4-6', {effort: 'high'}, {thinking: {type: 'adaptive', display: 'summarized'}}],
    ['anthropic/claude-opus-4-6', {effort: 'high', exclude: true}, {thinking: {type: 'adaptive', display: 'omitted'}}],
    ['openai/gpt-5', {effort: 'xlow'}, {reasoning: {effort: 'minimal', summary: 'auto'}}, 'responses'],
    ['openai/gpt-5', {effort: 'low', exclude: true}, {reasoning: {effort: 'low'}}, 'responses'],
    ['openai/gpt-5', 'auto', {reasoning: {summary: 'auto'}}, 'responses'],
    ['openai/gpt-5', {effort: 4000}, {reasoning: {effort: 'medium', summary: 'auto'}}, 'responses'],
    ['openrouter/x', 'off', {reasoning: {enabled: false}}],
    ['openrouter/x', 'auto', {reasoning: {enabled: true}}],
    ['openrouter/x', {effort: 'xlow', exclude: true}, {reasoning: {effort: 'minimal', exclude: true}}],
    ['openrouter/x', {effort: 3000}, {reasoning: {max_tokens: 3000}}],
    ['deepseek/deepseek-chat', 'off', {thinking: {type: 'disabled'}}],
    ['deepseek/deepseek-chat', {effort: 'high'}, {thinking: {type: 'enabled'}}],
    ['ollama/x', {effort: 'max'}, {reasoning_effort: 'high'}],
    ['ollama/x', {effort: 'none'}, {reasoning_effort: 'none'}],
    ['ollama/x', 'auto', {}],
  ]
  for (const [model, reasoning, expected, api] of rows) {
    it(`W24: ${model} is asked to think ${JSON.stringify(reasoning)}`, async () => {
      assert.deepEqual(pick(await sent(model, {reasoning}, api), 'thinking', 'reasoning', 'reasoning_effort'), expected)
    })
  }

  it('W24: Google is given a budget and asked for thoughts, or told not to think', async () => {
    const thinking = async (reasoning: ReasoningSetting): Promise<unknown> => {
      const body = await sent('google/gemini-2.5-flash', {reasoning})
      const config: unknown = body['generationConfig']
      return typeof config === 'object' && config !== null && 'thinkingConfig' in config
        ? config.thinkingConfig
        : config
    }
    assert.deepEqual(await thinking({effort: 2000}), {thinkingBudget: 2000, includeThoughts: true})
    assert.deepEqual(await thinking({effort: 2000, exclude: true}), {thinkingBudget: 2000})
    assert.deepEqual(await thinking('auto'), {includeThoughts: true})
    assert.deepEqual(await thinking('off'), {thinkingBudget: 0})
  })

  it('W24: the thoughts of earlier turns stay here, those of this turn go back', async () => {
    const opened = await openModel(
      {provider: 'ollama', name: 'x'},
      {providers: {ollama: {base_url: server.url}}},
      providerDeps(),
    )
    await call(opened, {
      prompt: [
        ...ask('one'),
        {
          role: 'assistant',
          content: [
            {type: 'reasoning', text: 'old'},
            {type: 'text', text: 'a'},
          ],
        },
        ...ask('two'),
        {
          role: 'assistant',
          content: [
            {type: 'reasoning', text: 'new'},
            {type: 'tool-call', toolCallId: 'c', toolName: 't', input: {}},
          ],
        },
        {
          role: 'tool',
          content: [{type: 'tool-result', toolCallId: 'c', toolName: 't', output: {type: 'text', value: 'r'}}],
        },
      ],
    })
    const body = JSON.stringify(server.seen.at(-1)?.body)
    assert.match(body, /"reasoning_content":"new"/)
    assert.doesNotMatch(body, /old/)
  })

  for (const [cache, ttl] of [
    [undefined, '5m'],
    [true, '5m'],
    ['short', '5m'],
    ['long', '1h'],
    ['5m', '5m'],
    ['30m', '1h'],
    ['off', undefined],
    [false, undefined],
  ] as const) {
    it(`W24: Anthropic is asked to cache for ${ttl ?? 'no time'} by ${String(cache)}`, async () => {
      const opened = await openModel(
        {provider: 'anthropic', name: 'claude-sonnet-4-5'},
        {providers: {anthropic: {base_url: server.url}}, request: {cache}},
        providerDeps(env),
      )
      await call(opened, {prompt: [{role: 'system', content: 'Be brief.'}, ...ask('one'), ...ask('two')]})
      const body = JSON.stringify(server.seen.at(-1)?.body)
      const marked = [...body.matchAll(/"text":"([^"]*)","cache_control":\{"type":"ephemeral","ttl":"(..)"\}/g)]
      const expected = ttl === undefined ? {} : {'Be brief.': ttl, two: ttl}
      assert.deepEqual(Object.fromEntries(marked.map(([, text, lasting]) => [text, lasting])), expected)
    })
  }

  it('W24: OpenRouter is told who asks, Anthropic which betas', async () => {
    const headersOf = async (provider: string, entry: object): Promise<Record<string, unknown>> => {
      const opened = await openModel(
        {provider, name: 'claude-sonnet-4-5'},
        {providers: {[provider]: {base_url: server.url, ...entry}}},
        providerDeps(env),
      )
      await call(opened, {prompt: ask('x')})
      return {...server.seen.at(-1)?.headers}
    }
    const router = await headersOf('openrouter', {app_name: 'Mine', app_referrer: 'https://mine.example'})
    assert.deepEqual([router['x-title'], router['http-referer']], ['Mine', 'https://mine.example'])
    const anthropic = await headersOf('anthropic', {beta_headers: ['one-beta', 'two-beta']})
    assert.match(String(anthropic['anthropic-beta']), /one-beta,two-beta/)
  })
})
