import assert from 'node:assert/strict'
import type {LanguageModelV4} from '@ai-sdk/provider'
import {JpError} from '../../../src/errors/jp-error.js'
import {openModel} from '../../../src/providers/open-model.js'
import type {RequestSettings, RetryNotice} from '../../../src/providers/provider-settings.js'
import {ask, call, providerDeps} from '../../support/model-call.js'
import {startModelServer} from '../../support/model-server.js'
import {createScratch, type Scratch} from '../../support/scratch.js'

describe('resilient calls', () => {
  let scratch: Scratch
  let notices: RetryNotice[]
  beforeEach(() => {
    scratch = createScratch()
    notices = []
  })
  afterEach(() => scratch.remove())

  const playing = (script: unknown, request: RequestSettings = {}): Promise<LanguageModelV4> =>
    openModel(
      {provider: 'echo', name: 'echo'},
      {providers: {}, request: {base_backoff_ms: 1, ...request}},
      providerDeps(
        {JP_ECHO_SCRIPT: scratch.write('steps.json', JSON.stringify(script))},
        {onRetry: (notice) => notices.push(notice)},
      ),
    )

  it('W24: passing failures are waited out, each wait twice as long, up to the cap', async () => {
    const failing = Array.from({length: 5}, () => ({error: 'failed'}))
    const model = await playing([...failing, {text: 'there'}], {base_backoff_ms: 4, max_backoff_secs: 0.02})
    const answer = await call(model, {prompt: ask('x')})
    assert.equal(answer.text, 'there')
    assert.deepEqual(
      notices.map(({retry, delayMs}) => [retry, delayMs]),
      [1, 2, 3, 4, 5].map((retry) => [retry, Math.min(20, 4 * 2 ** (retry - 1))]),
    )
  })

  it('W24: after max_retries in a row the failure is told', async () => {
    const model = await playing([{error: 'failed'}, {error: 'rate_limited'}, {error: 'unreachable'}, {text: 'late'}], {
      max_retries: 2,
    })
    const answer = await call(model, {prompt: ask('x')})
    assert.ok(answer.error instanceof JpError)
    assert.equal(answer.error.code, 'provider_unreachable')
    assert.equal(notices.length, 2)
  })

  it('W24: a server that asks for more time gets it, up to the cap', async () => {
    const model = await playing(
      [{error: {kind: 'rate_limited', retry_after_secs: 0.01}}, {error: {kind: 'rate_limited', retry_after_secs: 900}}],
      {max_backoff_secs: 0.03},
    )
    assert.equal((await call(model, {prompt: ask('echoed')})).text, 'echoed')
    assert.deepEqual(
      notices.map(({delayMs}) => delayMs),
      [10, 30],
    )
  })

  for (const kind of ['unauthorised', 'refused', 'misbehaved']) {
    it(`W24: ${kind} is not tried again`, async () => {
      const answer = await call(await playing([{error: kind}, {text: 'no'}]), {prompt: ask('x')})
      assert.ok(answer.error instanceof JpError)
      assert.equal(answer.error.code, `provider_${kind}`)
      assert.deepEqual(notices, [])
    })
  }

  for (const [what, step] of [
    ['text', {text: 'so far'}],
    ['reasoning', {reasoning: 'so far'}],
    ['a tool call', {tool_call: {name: 'ls'}}],
  ] as const) {
    it(`W24: nothing is tried again once ${what} was given out`, async () => {
      const answer = await call(await playing([step, {error: 'failed'}, {text: 'no'}]), {prompt: ask('x')})
      assert.ok(answer.error instanceof JpError)
      assert.equal(answer.error.code, 'provider_failed')
      assert.equal(
        answer.text + answer.reasoning + String(answer.calls.length),
        what === 'a tool call' ? '1' : 'so far0',
      )
      assert.deepEqual(notices, [])
    })
  }

  it('W24: a cut stream is told, with what came before it', async () => {
    const answer = await call(await playing([{text: 'so far'}, {cut: true}]), {prompt: ask('x')})
    assert.equal(answer.text, 'so far')
    assert.ok(answer.error instanceof JpError)
    assert.deepEqual(
      [answer.error.code, answer.error.message],
      ['provider_stream_cut', 'The answer of Echo broke off before its end.'],
    )
  })

  it('W24: silence is given up after the idle timeout, and not counted while the reader rests', async () => {
    const model = await playing([{text: 'a b c d e f g h'}, {stall: true}], {stream_idle_timeout_secs: 0.4})
    const {stream} = await model.doStream({prompt: ask('x')})
    const parts = []
    for await (const part of stream) {
      if (parts.length === 2) await new Promise((resolve) => setTimeout(resolve, 900)) // The case: a reader slower than the timeout.
      parts.push(part)
    }
    assert.equal(parts.map((part) => (part.type === 'text-delta' ? part.delta : '')).join(''), 'a b c d e f g h')
    const last = parts.at(-1)
    assert.ok(last?.type === 'error' && last.error instanceof JpError)
    assert.deepEqual([last.error.code, last.error.message], ['provider_stalled', 'Echo sent nothing for 0.4 s.'])
  })

  it('W24: an answer longer than max_response_bytes is ended, and what came is kept', async () => {
    const model = await playing([{text: 'ü', repeat: 100}], {max_response_bytes: 11})
    const answer = await call(model, {prompt: ask('x')})
    assert.equal(answer.text, 'üüüüü')
    assert.ok(answer.error instanceof JpError)
    assert.equal(answer.error.message, 'The answer of Echo is longer than 11 bytes.')
  })

  it('W24, Q29: an answer that is ended here is hung up on', async () => {
    const server = await startModelServer()
    try {
      server.plays({says: {text: ['much too long']}, ends: 'stalled'})
      const model = await openModel(
        {provider: 'ollama', name: 'x'},
        {providers: {ollama: {base_url: server.url}}, request: {max_response_bytes: 3}},
        providerDeps(),
      )
      const {error} = await call(model, {prompt: ask('x')})
      assert.ok(error instanceof JpError)
      assert.equal(error.code, 'provider_misbehaved')
      await server.seen[0]?.closed
    } finally {
      await server.close()
    }
  })

  it('W24, W27: an abort ends the wait for a retry', async () => {
    const controller = new AbortController()
    const model = await openModel(
      {provider: 'echo', name: 'echo'},
      {providers: {}, request: {base_backoff_ms: 60_000}},
      providerDeps(
        {JP_ECHO_SCRIPT: scratch.write('steps.json', '[{"error": "failed"}]')},
        {onRetry: () => setImmediate(() => controller.abort('enough'))},
      ),
    )
    assert.equal((await call(model, {prompt: ask('x'), abortSignal: controller.signal})).error, 'enough')
  })

  it('W18, W24: half a tool call of a cut stream is not given out', async () => {
    const server = await startModelServer()
    try {
      const opened = {index: 0, id: 'c', type: 'function', function: {name: 'write', arguments: '{"path": "a'}}
      const frame = {id: '1', choices: [{index: 0, delta: {tool_calls: [opened]}, finish_reason: null}]}
      server.plays({raw: `data: ${JSON.stringify(frame)}\n\n`, contentType: 'text/event-stream'})
      const model = await openModel(
        {provider: 'ollama', name: 'x'},
        {providers: {ollama: {base_url: server.url}}},
        providerDeps(),
      )
      const answer = await call(model, {prompt: ask('x')})
      assert.deepEqual(answer.calls, [])
      assert.ok(answer.error instanceof JpError)
      assert.equal(answer.error.code, 'provider_stream_cut')
    } finally {
      await server.close()
    }
  })

  const odd: readonly [string, object, string, RegExp][] = [
    ['a web page', {raw: '<html>Not found</html>', contentType: 'text/html'}, 'provider_stream_cut', /broke off/],
    [
      'a line that is no JSON',
      {raw: 'data: {oops\n\n', contentType: 'text/event-stream'},
      'provider_misbehaved',
      /sent what is no answer/,
    ],
    [
      'a 404',
      {status: 404, body: {error: 'model "x" not found'}},
      'provider_refused',
      /does not know the model ollama\/x \(404\): model "x" not found$/,
    ],
    [
      'a 400 of length',
      {status: 400, body: {error: {message: 'maximum context length is 9'}}},
      'provider_refused',
      /can not take a conversation this long/,
    ],
    ['a 400', {status: 400, body: {detail: 'no'}}, 'provider_refused', /refused the request \(400\): no$/],
    [
      'no credit',
      {status: 429, body: {error: {message: 'pay', type: 'insufficient_quota'}}},
      'provider_refused',
      /has no credit left for this key \(429\): pay$/,
    ],
  ]
  for (const [what, reply, code, message] of odd) {
    it(`W24, Q4: ${what} is ${code}`, async () => {
      const server = await startModelServer()
      try {
        server.plays(reply as Parameters<typeof server.plays>[0])
        const model = await openModel(
          {provider: 'ollama', name: 'x'},
          {providers: {ollama: {base_url: server.url}}, request: {max_retries: 0}},
          providerDeps(),
        )
        const {error} = await call(model, {prompt: ask('x')})
        assert.ok(error instanceof JpError)
        assert.equal(error.code, code)
        assert.match(error.message, message)
      } finally {
        await server.close()
      }
    })
  }
})
