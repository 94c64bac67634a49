import assert from 'node:assert/strict'
import type {LanguageModelV4} from '@ai-sdk/provider'
import {openModel} from '../../../src/providers/open-model.js'
import type {ModelParameters, ProviderEntry} from '../../../src/providers/provider-settings.js'
import {ask, call, providerDeps} from '../../support/model-call.js'
import {createScratch, type Scratch} from '../../support/scratch.js'

describe('chain_on_max_tokens', () => {
  let scratch: Scratch
  beforeEach(() => {
    scratch = createScratch()
  })
  afterEach(() => scratch.remove())

  const playing = (
    steps: readonly object[],
    parameters: ModelParameters = {},
    echo: ProviderEntry = {chain_on_max_tokens: true},
  ): Promise<LanguageModelV4> =>
    openModel(
      {provider: 'echo', name: 'echo'},
      {providers: {echo}, parameters},
      providerDeps({JP_ECHO_SCRIPT: scratch.write('steps.json', JSON.stringify(steps))}),
    )
  const cut = [{reasoning: 'Hm.'}, {text: 'The answer is lo'}, {end: 'length'}]
  const rest = [{reasoning: 'On.'}, {text: 'ng.'}, {end: 'stop'}]

  it('facts 7.7: an answer that was cut at its longest is gone on with, and is one answer', async () => {
    const answer = await call(await playing([...cut, {text: 'ng and lo'}, {end: 'length'}, ...rest]), {
      prompt: ask('x'),
    })
    assert.deepEqual([answer.text, answer.reasoning, answer.finish], ['The answer is long and long.', 'Hm.', 'stop'])
    const kinds = answer.parts.map(({type}) => type).filter((type) => !type.endsWith('-delta'))
    assert.deepEqual(kinds.slice(-3), ['text-start', 'text-end', 'finish'])
    const usage = answer.parts.flatMap((part) => (part.type === 'finish' ? [part.usage.inputTokens.total] : []))
    const one = await call(await playing(rest), {prompt: ask('x')})
    const single = one.parts.flatMap((part) => (part.type === 'finish' ? [part.usage.inputTokens.total] : []))
    assert.ok((usage[0] ?? 0) > (single[0] ?? 0) * 3)
  })

  it('facts 7.7: a limit that was asked for, data, and a setting that is off end the answer there', async () => {
    const steps = [...cut, ...rest]
    const limited = await call(await playing(steps, {max_tokens: 5}), {prompt: ask('x')})
    assert.deepEqual([limited.text, limited.finish], ['The answer is lo', 'length'])
    const data = await call(await playing(steps), {prompt: ask('x'), responseFormat: {type: 'json'}})
    assert.equal(data.finish, 'length')
    const off = await call(await playing(steps, {}, {}), {prompt: ask('x')})
    assert.equal(off.finish, 'length')
  })

  it('facts 7.7: a model that says nothing more, or never ends, is not asked for ever', async () => {
    const silent = await call(await playing([...cut, {end: 'length'}]), {prompt: ask('x')})
    assert.deepEqual([silent.text, silent.finish], ['The answer is lo', 'length'])
    const endless = Array.from({length: 40}, () => [{text: 'lo'}, {end: 'length'}]).flat()
    assert.equal((await call(await playing(endless), {prompt: ask('x')})).text, 'lo'.repeat(10))
  })

  it('W24: a failure of a later call keeps the words that came; a tool call behind them is one of the answer', async () => {
    const failed = await call(await playing([...cut, {error: 'refused'}]), {prompt: ask('x')})
    assert.equal(failed.text, 'The answer is lo')
    assert.ok(failed.error !== undefined)
    const called = await call(await playing([...cut, {text: 'ng.'}, {tool_call: {name: 'ls', arguments: {}}}]), {
      prompt: ask('x'),
    })
    assert.deepEqual([called.text, called.calls.map(({name}) => name)], ['The answer is long.', ['ls']])
  })
})
