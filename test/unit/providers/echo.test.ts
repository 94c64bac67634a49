import assert from 'node:assert/strict'
import type {LanguageModelV4, LanguageModelV4CallOptions} from '@ai-sdk/provider'
import fc from 'fast-check'
import {openModel} from '../../../src/providers/open-model.js'
import {fuzz} from '../../support/fuzz.js'
import {ask, call, providerDeps} from '../../support/model-call.js'
import {until} from '../../support/processes.js'
import {createScratch, type Scratch} from '../../support/scratch.js'

describe('echo', () => {
  let scratch: Scratch
  beforeEach(() => {
    scratch = createScratch()
  })
  afterEach(() => scratch.remove())

  const open = (env: Record<string, string> = {}): Promise<LanguageModelV4> =>
    openModel({provider: 'echo', name: 'echo'}, {providers: {}}, providerDeps(env))

  const playing = (script: unknown): Promise<LanguageModelV4> =>
    open({JP_ECHO_SCRIPT: scratch.write('steps.json', JSON.stringify(script))})

  it('W25: streams any text of the last user message back, white space kept, in several pieces', async () => {
    const model = await open()
    await fc.assert(
      fc.asyncProperty(fc.string({unit: 'grapheme', maxLength: 200}), async (text) => {
        const answer = await call(model, {prompt: [...ask('earlier'), ...ask(text)]})
        assert.equal(answer.text, text)
        assert.equal(answer.finish, 'stop')
      }),
      fuzz(100),
    )
    const answer = await call(model, {prompt: ask('  hello\n\n wörld {n}\t')})
    assert.equal(answer.text, '  hello\n\n wörld {n}\t')
    assert.equal(answer.parts.filter((part) => part.type === 'text-delta').length, 4)
  })

  it('W25: plays the next response at each call, through a cycle of tools, and echoes when the script is used up', async () => {
    const model = await playing([
      {reasoning: 'Look first.'},
      {tool_call: {name: 'ls', arguments: {dir: '.'}}},
      {tool_call: {name: 'cat', arguments: 'no json'}},
      {text: 'Two files.'},
      {tool_call: {name: 'ls'}},
    ])
    const first = await call(model, {prompt: ask('list')})
    assert.equal(first.reasoning, 'Look first.')
    assert.deepEqual(first.calls, [
      {name: 'ls', input: '{"dir":"."}', id: 'call_1'},
      {name: 'cat', input: 'no json', id: 'call_2'},
    ])
    assert.equal(first.finish, 'tool-calls')
    const prompt: LanguageModelV4CallOptions['prompt'] = [
      ...ask('list'),
      {
        role: 'assistant',
        content: first.calls.map(({id, name}) => ({type: 'tool-call', toolCallId: id, toolName: name, input: {}})),
      },
      {
        role: 'tool',
        content: first.calls.map(({id, name}) => ({
          type: 'tool-result',
          toolCallId: id,
          toolName: name,
          output: {type: 'text', value: 'a b'},
        })),
      },
    ]
    const second = await call(model, {prompt})
    assert.equal(second.text, 'Two files.')
    assert.deepEqual(second.calls, [{name: 'ls', input: '{}', id: 'call_3'}])
    const third = await call(model, {prompt})
    assert.equal(third.text, 'list')
  })

  it('W25: repeats, counts and cuts into pieces of the asked size', async () => {
    const model = await playing([
      {text: 'c{n} ', repeat: 3},
      {text: 'äöü🟢x', chunk: 2},
    ])
    const answer = await call(model, {prompt: ask('x')})
    const deltas = answer.parts.map((part) => (part.type === 'text-delta' ? part.delta : '')).filter(Boolean)
    assert.deepEqual(deltas, ['c0 ', 'c1 ', 'c2 ', 'äö', 'ü🟢', 'x'])
  })

  it('W25: a schema is answered with data', async () => {
    const model = await playing([{data: {titles: ['One']}}])
    assert.deepEqual(JSON.parse((await call(model, {prompt: ask('x')})).text), {titles: ['One']})
  })

  it('W25: an error keeps what was said, and carries its code', async () => {
    const model = await playing([{text: 'so far'}, {error: {kind: 'refused', message: 'Too long.'}}])
    const answer = await call(model, {prompt: ask('x')})
    assert.equal(answer.text, 'so far')
    assert.equal(answer.finish, undefined)
    assert.deepEqual(
      {...(answer.error as object)},
      {name: 'JpError', code: 'provider_refused', hint: undefined, details: {transient: false}},
    )
  })

  for (const [what, script] of [
    ['a delay', [{text: 'go '}, {delay_ms: 100_000}]],
    ['a stall', [{text: 'go '}, {stall: true}]],
    ['slow pieces', [{text: 'go '}, {text: 'never', delay_ms: 100_000}]],
  ] as const) {
    it(`W25, W27: an abort ends ${what} at once, with its reason`, async () => {
      const controller = new AbortController()
      const model = await playing(script)
      const answer = await call(model, {prompt: ask('x'), abortSignal: controller.signal}, (part) => {
        if (part.type === 'text-delta') setImmediate(() => controller.abort('enough'))
      })
      assert.equal(answer.text, 'go ')
      assert.equal(answer.error, 'enough')
    })
  }

  it('W25, Q29: a reader that goes away ends a stall', async () => {
    const timers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
    const model = await playing([{text: 'go '}, {stall: true}])
    const before = timers()
    const {stream} = await model.doStream({prompt: ask('x')})
    const reader = stream.getReader()
    for (let part = await reader.read(); part.value?.type !== 'text-end'; ) part = await reader.read()
    const stalled = reader.read()
    await until(() => timers() > before, 'the stall has begun')
    await reader.cancel()
    await stalled
    await until(() => timers() <= before, 'nothing waits any more')
  })

  it('W25: the configured script is seen from the configuration, and the variable wins', async () => {
    scratch.write('work/steps.json', '[{"text": "configured"}]')
    const settings = {providers: {echo: {script: 'steps.json'}}}
    const deps = {configCwd: `${scratch.path}/work`}
    const id = {provider: 'echo', name: 'echo'}
    const configured = await openModel(id, settings, providerDeps({}, deps))
    assert.equal((await call(configured, {prompt: ask('x')})).text, 'configured')
    const path = scratch.write('other.json', '[{"text": "variable"}]')
    const named = await openModel(id, settings, providerDeps({JP_ECHO_SCRIPT: path}, deps))
    assert.equal((await call(named, {prompt: ask('x')})).text, 'variable')
  })

  it('W25: a script that is not there is an error before anything is asked', async () => {
    await assert.rejects(open({JP_ECHO_SCRIPT: `${scratch.path}/none.json`}), {code: 'file_not_found'})
  })
})
