import assert from 'node:assert/strict'
import type {LanguageModelV4, LanguageModelV4Prompt, LanguageModelV4StreamPart} from '@ai-sdk/provider'
import type {NewEvent} from '../../../src/conversation/event.js'
import {JpError} from '../../../src/errors/jp-error.js'
import {runTurn, type TurnRequest} from '../../../src/turn/run-turn.js'
import type {Tool} from '../../../src/turn/tool.js'
import {noTools, type ToolRound} from '../../../src/turn/tool-round.js'
import {createToolBelt} from '../../../src/turn/tools/tool-belt.js'
import {createTurnControl} from '../../../src/turn/turn-control.js'
import type {TurnEvent} from '../../../src/turn/turn-event.js'
import {fakeConversation, streamingModel} from '../../support/turn-fakes.js'

const usage = {
  inputTokens: {total: 3, noCache: 3, cacheRead: undefined, cacheWrite: undefined},
  outputTokens: {total: 2, text: 2, reasoning: undefined},
}
const finish = (unified: 'stop' | 'tool-calls' | 'length'): LanguageModelV4StreamPart => ({
  type: 'finish',
  finishReason: {unified, raw: unified},
  usage,
})
const words = (...deltas: string[]): LanguageModelV4StreamPart[] => [
  {type: 'text-start', id: 't'},
  ...deltas.map((delta): LanguageModelV4StreamPart => ({type: 'text-delta', id: 't', delta})),
  {type: 'text-end', id: 't'},
]

type Step = LanguageModelV4StreamPart | (() => void | Promise<void>)

/** A model that plays one list of steps a call; a function runs in the middle of the stream. */
const playing = (...cycles: readonly (readonly Step[])[]) => {
  const prompts: LanguageModelV4Prompt[] = []
  const model = streamingModel(async (options) => {
    prompts.push(options.prompt)
    const steps = [...(cycles[prompts.length - 1] ?? [])]
    return {
      stream: new ReadableStream({
        async pull(controller) {
          const step = steps.shift()
          if (step === undefined) controller.close()
          else if (typeof step === 'function') {
            await step()
            if (options.abortSignal?.aborted === true) controller.error(options.abortSignal.reason)
            else await this.pull?.(controller)
          } else controller.enqueue(step)
        },
      }),
    }
  })
  return {model, prompts}
}

const started = {conversation: 'jp-c1', is_new: true, workspace: 'abcde', root: '/r', model: 'test/test'}

const run = async (
  model: LanguageModelV4,
  options: {
    request?: Partial<TurnRequest>
    tools?: ToolRound
    stored?: readonly NewEvent[]
    control?: ReturnType<typeof createTurnControl>
    watch?: (event: TurnEvent) => void
  } = {},
) => {
  const events = [...(options.stored ?? [])]
  const conversation = fakeConversation(events)
  const said: TurnEvent[] = []
  const end = await runTurn(
    {
      clock: {nowMs: () => Date.UTC(2026, 8, 1, 8)},
      conversation,
      model,
      tools: options.tools ?? noTools,
      control: options.control ?? createTurnControl(),
      subscribers: [
        (event) => {
          said.push(event)
          options.watch?.(event)
        },
      ],
    },
    {started, content: 'hello', ...options.request},
  )
  const stored = events.map((event) => Object.fromEntries(Object.entries(event).filter(([key]) => key !== 'timestamp')))
  return {end, said, stored, roots: conversation.roots}
}

describe('a turn', () => {
  it('W35, S20: says what it does in one order: pieces first, then what is stored, one end', async () => {
    const {end, said, stored, roots} = await run(playing([...words('Hel', 'lo'), finish('stop')]).model)
    assert.deepEqual(
      said.map((event) => (event.type === 'event' ? `event ${event.event.type}` : event.type)),
      [
        'turn_started',
        'event turn_start',
        'event chat_request',
        'text_delta',
        'text_delta',
        'event chat_response',
        'usage',
        'turn_ended',
      ],
    )
    assert.deepEqual(stored, [
      {type: 'turn_start'},
      {type: 'chat_request', content: 'hello'},
      {type: 'chat_response', message: 'Hello'},
    ])
    assert.deepEqual(roots, ['/r'])
    assert.deepEqual(end, {
      outcome: 'completed',
      finish_reason: 'stop',
      answer: 'Hello',
      usage: {input_tokens: 3, output_tokens: 2},
      denied: [],
    })
  })

  it('W18: the request is stored before the model is asked', async () => {
    const events: NewEvent[] = []
    const conversation = fakeConversation(events)
    let asked: readonly string[] = []
    const {model} = playing([() => void (asked = events.map((event) => event.type)), finish('stop')])
    await runTurn(
      {
        clock: {nowMs: () => 0},
        conversation,
        model,
        tools: noTools,
        control: createTurnControl(),
        subscribers: [],
      },
      {started, content: 'hello', configDelta: {assistant: {name: 'x'}}},
    )
    assert.deepEqual(asked, ['config_delta', 'turn_start', 'chat_request'])
  })

  it('W24: what came before a cut is kept, and the end carries the error', async () => {
    const error = new JpError('provider_stream_cut', 'The stream broke off.')
    const {end, stored} = await run(playing([...words('Hel').slice(0, 2), {type: 'error', error}]).model)
    assert.deepEqual(stored.at(-1), {type: 'chat_response', message: 'Hel'})
    assert.equal(end.outcome, 'failed')
    assert.equal(end.error, error)
  })

  it('W27: a stop keeps the words so far and answers the calls that came', async () => {
    const control = createTurnControl()
    const {model} = playing([
      ...words('Let me look.'),
      {type: 'tool-call', toolCallId: 'a', toolName: 'ls', input: '{}'},
      {type: 'text-start', id: 'u'},
      {type: 'text-delta', id: 'u', delta: 'And'},
      () => control.stop('user'),
    ])
    const {end, stored} = await run(model, {control})
    assert.equal(end.outcome, 'stopped')
    assert.deepEqual(stored.slice(2), [
      {type: 'chat_response', message: 'Let me look.'},
      {type: 'tool_call_request', id: 'a', name: 'ls', arguments: {}},
      {type: 'chat_response', message: 'And'},
      {type: 'tool_call_response', id: 'a', content: 'Tool call was interrupted.', is_error: true},
    ])
  })

  it('W27: an abort drops what is being written; whole parts are stored already and stay', async () => {
    const control = createTurnControl()
    const {model} = playing([
      ...words('Let me look.'),
      {type: 'text-start', id: 'u'},
      {type: 'text-delta', id: 'u', delta: 'And'},
      () => control.abort(),
    ])
    const {end, stored} = await run(model, {control})
    assert.equal(end.outcome, 'stopped')
    assert.deepEqual(stored.slice(2), [{type: 'chat_response', message: 'Let me look.'}])
  })

  it('W27: a reply ends the answer, keeps it, and goes on in the same turn', async () => {
    const control = createTurnControl()
    const played = playing(
      [...words('Long sto').slice(0, 2), () => control.reply('Shorter, please')],
      [...words('Short.'), finish('stop')],
    )
    const {end, stored} = await run(played.model, {control})
    assert.equal(end.outcome, 'completed')
    assert.deepEqual(stored, [
      {type: 'turn_start'},
      {type: 'chat_request', content: 'hello'},
      {type: 'chat_response', message: 'Long sto'},
      {type: 'chat_request', content: 'Shorter, please'},
      {type: 'chat_response', message: 'Short.'},
    ])
    assert.deepEqual(
      played.prompts[1]?.map((message) => message.role),
      ['user', 'assistant', 'user'],
    )
  })

  it('W26: a call of a tool that does not exist is answered, and the model goes on', async () => {
    const played = playing(
      [{type: 'tool-call', toolCallId: 'a', toolName: 'nope', input: ''}, finish('tool-calls')],
      [...words('I see.'), finish('stop')],
    )
    const {end, stored} = await run(played.model)
    assert.deepEqual(stored.slice(2), [
      {type: 'tool_call_request', id: 'a', name: 'nope', arguments: {}},
      {type: 'tool_call_response', id: 'a', content: 'There is no tool "nope".', is_error: true},
      {type: 'chat_response', message: 'I see.'},
    ])
    assert.deepEqual(end.usage, {input_tokens: 6, output_tokens: 4})
  })

  it('W35, W18: the end of a call is said once its result is stored, in the order of the calls', async () => {
    const events: NewEvent[] = []
    const isStored = (id: string): boolean =>
      events.some((event) => event.type === 'tool_call_response' && event.id === id)
    let end = (): void => undefined
    const second = new Promise<void>((resolve) => {
      end = resolve
    })
    const tool: Tool = {
      name: 'work',
      description: 'works',
      inputSchema: {type: 'object'},
      async run({id}) {
        if (id === 'a') await second
        else end()
        return {type: 'success', content: `${id} \ud83d`}
      },
    }
    const calls = ['a', 'b', 'c'].map((id): LanguageModelV4StreamPart => {
      return {type: 'tool-call', toolCallId: id, toolName: id === 'c' ? 'nope' : 'work', input: '{}'}
    })
    const said: string[] = []
    await runTurn(
      {
        clock: {nowMs: () => 0},
        conversation: fakeConversation(events),
        model: playing([...calls, finish('tool-calls')], [...words('Done.'), finish('stop')]).model,
        tools: createToolBelt([{tool, settings: {run: 'unattended'}, definition: 'x'}], {
          asker: undefined,
          rules: undefined,
        }),
        control: createTurnControl(),
        subscribers: [
          (event) => {
            if (event.type !== 'tool_call_ended') return
            const {id, outcome, content} = event
            said.push(`${id} ${outcome} ${isStored(id) ? 'stored' : 'lost'}: ${content}`)
          },
        ],
      },
      {started, content: 'hello'},
    )
    assert.deepEqual(said, [
      'a success stored: a \ufffd',
      'b success stored: b \ufffd',
      'c error stored: There is no tool "nope".',
    ])
  })

  it('W35, W18: a call whose result could not be stored has no end', async () => {
    const events: NewEvent[] = []
    const conversation = fakeConversation(events)
    const full = new JpError('disk_full', 'The disk is full.')
    const said: string[] = []
    const end = await runTurn(
      {
        clock: {nowMs: () => 0},
        conversation: {
          ...conversation,
          append(added) {
            if (added.some((event) => event.type === 'tool_call_response')) throw full
            conversation.append(added)
          },
        },
        model: playing([{type: 'tool-call', toolCallId: 'a', toolName: 'nope', input: '{}'}, finish('tool-calls')])
          .model,
        tools: noTools,
        control: createTurnControl(),
        subscribers: [(event) => void said.push(event.type)],
      },
      {started, content: 'hello'},
    )
    assert.equal(end.error, full)
    assert.equal(said.includes('tool_call_ended'), false)
    assert.equal(said.at(-1), 'turn_ended')
  })

  it('W23: under a schema the answer is stored as data; what is no JSON is a failure of the provider', async () => {
    const request = {schema: {type: 'object'} as const}
    const good = await run(playing([...words('{"a"', ':1}'), finish('stop')]).model, {request})
    assert.deepEqual(good.stored.at(-1), {type: 'chat_response', data: {a: 1}})
    assert.deepEqual(good.end.data, {a: 1})
    const bad = await run(playing([...words('Sure!'), finish('stop')]).model, {request})
    assert.deepEqual(bad.stored.at(-1), {type: 'chat_response', message: 'Sure!'})
    assert.equal(bad.end.error?.code, 'provider_misbehaved')
  })

  it('W27: without a message what has no answer yet is sent again, and nothing is added', async () => {
    const played = playing([...words('Here.'), finish('stop')])
    const stored: NewEvent[] = [{type: 'turn_start'}, {type: 'chat_request', content: 'asked before'}]
    const result = await run(played.model, {stored, request: {content: undefined}})
    assert.deepEqual(result.stored.slice(2), [{type: 'chat_response', message: 'Here.'}])
    assert.deepEqual(result.roots, ['/r'])
  })

  it('facts 2.5: what a provider signs over several pieces is stored with the part', async () => {
    const {stored} = await run(
      playing([
        {
          type: 'reasoning-start',
          id: 'r',
          providerMetadata: {openai: {itemId: 'rs_1', reasoningEncryptedContent: null}},
        },
        {type: 'reasoning-delta', id: 'r', delta: 'hm'},
        {type: 'reasoning-delta', id: 'r', delta: '', providerMetadata: {anthropic: {signature: 'sig'}}},
        {type: 'reasoning-end', id: 'r', providerMetadata: {openai: {reasoningEncryptedContent: 'enc'}}},
        ...words('Yes.'),
        finish('stop'),
      ]).model,
    )
    assert.deepEqual(stored[2], {
      type: 'chat_response',
      reasoning: 'hm',
      metadata: {
        anthropic_thinking_signature: 'sig',
        openai_item_id: 'rs_1',
        openai_encrypted_content: 'enc',
      },
    })
  })
})
