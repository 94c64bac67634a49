import assert from 'node:assert/strict'
import type {LanguageModelV4} from '@ai-sdk/provider'
import type {NewEvent} from '../../../src/conversation/event.js'
import {JpError} from '../../../src/errors/jp-error.js'
import {openModel} from '../../../src/providers/open-model.js'
import {runTurn} from '../../../src/turn/run-turn.js'
import type {Tool} from '../../../src/turn/tool.js'
import {createToolBelt} from '../../../src/turn/tools/tool-belt.js'
import {createTurnControl, type TurnControl} from '../../../src/turn/turn-control.js'
import type {TurnEvent} from '../../../src/turn/turn-event.js'
import {providerDeps} from '../../support/model-call.js'
import {type ModelServer, type Reply, startModelServer} from '../../support/model-server.js'
import {assertAccepted} from '../../support/strict-wires.js'
import {fakeConversation} from '../../support/turn-fakes.js'
import type {Wire} from '../../support/wire-frames.js'

const wires: readonly {
  readonly wire: Wire
  readonly provider: string
  readonly name: string
  readonly api?: 'responses' | 'chat'
}[] = [
  {wire: 'anthropic', provider: 'anthropic', name: 'claude-sonnet-4-5'},
  {wire: 'responses', provider: 'openai', name: 'gpt-5', api: 'responses'},
  {wire: 'chat', provider: 'openai', name: 'gpt-5', api: 'chat'},
  {wire: 'google', provider: 'google', name: 'gemini-2.5-pro'},
]
const keys = {ANTHROPIC_API_KEY: 'k', OPENAI_API_KEY: 'k', GEMINI_API_KEY: 'k'}

const calls = [
  {id: 'a', name: 'work', arguments: {n: 1}},
  {id: 'b', name: 'work', arguments: {n: 2}},
]
const thinking = {reasoning: 'Let me see.', text: ['I will ', 'look.']}

/** Where a turn is stopped; `at` is called with every event. */
const stages: readonly {
  readonly what: string
  readonly replies: readonly Reply[]
  readonly policy: 'ask' | 'unattended'
  readonly at: (event: TurnEvent, control: TurnControl) => void
}[] = [
  {
    what: 'during reasoning',
    policy: 'unattended',
    replies: [{says: {reasoning: 'Let me see.'}, ends: 'stalled'}],
    at: ({type}, control) => type === 'reasoning_delta' && control.stop('user'),
  },
  {
    what: 'during text',
    policy: 'unattended',
    replies: [{says: thinking, ends: 'stalled'}],
    at: (event, control) => event.type === 'text_delta' && event.text === 'look.' && control.stop('user'),
  },
  {
    what: 'while a call is written',
    policy: 'unattended',
    replies: [{says: {...thinking, calls: calls.slice(0, 1)}, ends: 'stalled'}],
    at: ({type}, control) => type === 'tool_call_preparing' && control.stop('user'),
  },
  {
    what: 'before a tool',
    policy: 'ask',
    replies: [{says: {...thinking, calls}}],
    at: ({type}, control) => type === 'permission_requested' && control.stop('user'),
  },
  {
    what: 'during a tool',
    policy: 'unattended',
    replies: [{says: {...thinking, calls}}],
    at: (event, control) => event.type === 'tool_call_started' && event.id === 'b' && control.stop('user'),
  },
  {
    what: 'after one of two tools',
    policy: 'unattended',
    replies: [{says: {...thinking, calls}}],
    at: (event, control) => event.type === 'tool_call_ended' && event.id === 'a' && control.stop('user'),
  },
  {
    what: 'after the tools, before the next answer',
    policy: 'unattended',
    replies: [{says: {...thinking, calls}}, {says: {}, ends: 'stalled'}],
    at: (event, control) => {
      if (event.type === 'event' && event.event.type === 'tool_call_response' && event.event['id'] === 'b') {
        control.stop('user')
      }
    },
  },
]

describe('a conversation that was interrupted, on every wire', () => {
  let server: ModelServer
  before(async () => {
    server = await startModelServer()
  })
  after(() => server.close())

  /** The second call waits until the turn is stopped, the first one answers at once. */
  const work: Tool = {
    name: 'work',
    description: 'Works.',
    inputSchema: {type: 'object', properties: {n: {type: 'integer'}}},
    run: ({arguments: {n}}, signal) =>
      n === 1
        ? Promise.resolve({type: 'success', content: 'done'})
        : new Promise((resolve) => {
            const end = (): void => resolve({type: 'error', content: 'cut'})
            if (signal.aborted) end()
            signal.addEventListener('abort', end)
          }),
  }
  const quickWork: Tool = {...work, run: () => Promise.resolve({type: 'success', content: 'done'})}

  const open = ({provider, name, api}: (typeof wires)[number]): Promise<LanguageModelV4> =>
    openModel(
      {provider, name},
      {
        providers: {[provider]: {base_url: server.url, ...(api === undefined ? {} : {api})}},
        request: {max_retries: 0, stream_idle_timeout_secs: 5},
      },
      providerDeps(keys),
    )

  const turn = async (
    model: LanguageModelV4,
    events: NewEvent[],
    {
      content,
      tool,
      policy = 'unattended',
      at,
    }: {content: string; tool: Tool; policy?: 'ask' | 'unattended'; at?: (typeof stages)[number]['at']},
  ) => {
    const control = createTurnControl()
    const asker = {
      ask: (_: unknown, signal: AbortSignal) =>
        new Promise<never>((_resolve, reject) => {
          const taken = (): void => reject(new JpError('interrupted', 'The question was taken back.'))
          if (signal.aborted) taken()
          signal.addEventListener('abort', taken)
        }),
    }
    const tools = createToolBelt([{tool, settings: {run: policy}, definition: 'x'}], {asker, rules: undefined})
    return runTurn(
      {
        clock: {nowMs: () => 0},
        conversation: fakeConversation(events),
        model,
        tools,
        control,
        subscribers: [(event) => at?.(event, control)],
      },
      {
        started: {conversation: 'jp-c1', is_new: false, workspace: 'abcde', root: '/r', model: 'm'},
        content,
      },
    )
  }

  for (const row of wires) {
    for (const stage of stages) {
      it(`FR-25, W27: ${row.wire}: stopped ${stage.what}, three times in a row, it goes on`, async () => {
        const model = await open(row)
        const events: NewEvent[] = []
        for (let time = 0; time < 3; time++) {
          server.plays(...stage.replies)
          const tool = stage.what.startsWith('after the tools') ? quickWork : work
          const end = await turn(model, events, {content: `go ${time}`, tool, policy: stage.policy, at: stage.at})
          assert.equal(end.outcome, 'stopped', JSON.stringify(end))
        }
        server.plays({says: {text: ['There.']}})
        const end = await turn(model, events, {content: 'go on', tool: work})
        assert.deepEqual([end.outcome, end.answer], ['completed', 'There.'], end.error?.message)
        assertAccepted(row.wire, server.seen.at(-1)?.body ?? {}, stage.what)
      })
    }

    it(`FR-25, W18: ${row.wire}: killed after any event, it goes on`, async () => {
      const model = await open(row)
      const whole: NewEvent[] = []
      server.plays(
        {says: {...thinking, calls}},
        {says: {...thinking, calls}},
        {says: {reasoning: 'So.', text: ['Done.']}},
      )
      assert.equal((await turn(model, whole, {content: 'go', tool: quickWork})).outcome, 'completed')
      server.plays({says: {text: ['There.']}})
      for (let kept = 0; kept <= whole.length; kept++) {
        const end = await turn(model, whole.slice(0, kept), {content: 'go on', tool: work})
        assert.equal(end.outcome, 'completed', end.error?.message)
        assertAccepted(row.wire, server.seen.at(-1)?.body ?? {}, `after ${kept} of ${whole.length} events`)
      }
    })
  }
})
