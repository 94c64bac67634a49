import assert from 'node:assert/strict'
import type {LanguageModelV4Message} from '@ai-sdk/provider'
import fc from 'fast-check'
import type {KnownEvent} from '../../../src/conversation/event.js'
import {interruptedResult, projectTranscript} from '../../../src/turn/transcript.js'
import {fuzz} from '../../support/fuzz.js'

const timestamp = '2026-09-01 08:00:00.0'
const turn: KnownEvent = {type: 'turn_start', timestamp}
const asks = (content: string): KnownEvent => ({type: 'chat_request', content, timestamp})
const says = (message: string): KnownEvent => ({type: 'chat_response', message, timestamp})
const thinks = (reasoning: string, metadata?: Record<string, unknown>): KnownEvent => ({
  type: 'chat_response',
  reasoning,
  timestamp,
  ...(metadata === undefined ? {} : {metadata}),
})
const calls = (id: string, name = 'ls'): KnownEvent => ({type: 'tool_call_request', id, name, arguments: {}, timestamp})
const gives = (id: string, content: string): KnownEvent => ({
  type: 'tool_call_response',
  id,
  content,
  is_error: false,
  timestamp,
})

/** A prompt in short: one line a message. */
const short = (messages: readonly LanguageModelV4Message[]): string[] =>
  messages.map((message) => {
    if (message.role === 'system') return `system ${message.content}`
    const parts = message.content.map((part) => {
      if (part.type === 'text' || part.type === 'reasoning') return `${part.type}:${part.text}`
      if (part.type === 'tool-call') return `call:${part.toolCallId}`
      if (part.type === 'tool-result') {
        return `result:${part.toolCallId}=${'value' in part.output && typeof part.output.value === 'string' ? part.output.value : ''}`
      }
      return part.type
    })
    return `${message.role} ${parts.join(' ')}`
  })

describe('the prompt of a stored stream', () => {
  it('W18, FR-25: a call without its result gets one that says it was interrupted', () => {
    const events = [turn, asks('go'), calls('a'), calls('b'), gives('b', 'B'), turn, asks('on')]
    assert.deepEqual(short(projectTranscript(events)), [
      'user text:go',
      'assistant call:a call:b',
      `tool result:a=${interruptedResult} result:b=B`,
      'user text:on',
    ])
  })

  it('FR-25: a result that comes after the next message still stands behind its call', () => {
    const events = [asks('go'), calls('a'), asks('on'), gives('a', 'A'), says('done')]
    assert.deepEqual(short(projectTranscript(events)), [
      'user text:go',
      'assistant call:a',
      'tool result:a=A',
      'user text:on',
      'assistant text:done',
    ])
  })

  it('FR-25: ids that a provider uses again are told apart', () => {
    const events = [asks('go'), calls('0'), gives('0', 'one'), calls('0'), gives('0', 'two'), says('done')]
    assert.deepEqual(short(projectTranscript(events)), [
      'user text:go',
      'assistant call:0',
      'tool result:0=one',
      'assistant call:0_2',
      'tool result:0_2=two',
      'assistant text:done',
    ])
  })

  it('facts 2.5: what stands before the first request, and results without a call, are left out', () => {
    const events = [says('lost'), calls('x'), gives('y', 'nothing'), asks('go'), gives('z', 'nothing'), says('yes')]
    assert.deepEqual(short(projectTranscript(events)), ['user text:go', 'assistant text:yes'])
  })

  it('requests without an answer between them are one message, and thinking without words is not sent', () => {
    const events = [asks('one'), thinks('hm'), asks('two'), thinks('so'), says('yes'), thinks('cut')]
    assert.deepEqual(short(projectTranscript(events)), ['user text:one\n\ntwo', 'assistant reasoning:so text:yes'])
  })

  it('facts 2.5: what a provider signed is handed back under its own names', () => {
    const metadata = {
      anthropic_thinking_signature: 'sig',
      google_thought_signature: 'g',
      openai_item_id: 'rs_1',
      openai_encrypted_content: 'enc',
      provider_metadata: {anthropic: {caller: {type: 'direct'}}, deepseek: {kept: true}},
    }
    const [, assistant] = projectTranscript([asks('go'), thinks('hm', metadata), says('yes')])
    assert.deepEqual(assistant?.role === 'assistant' ? assistant.content[0]?.providerOptions : undefined, {
      anthropic: {caller: {type: 'direct'}, signature: 'sig'},
      deepseek: {kept: true},
      google: {thoughtSignature: 'g'},
      openai: {itemId: 'rs_1', reasoningEncryptedContent: 'enc'},
    })
  })

  it('compaction: a summary stands for its turns, stripped tools keep their calls, omitted ones go', () => {
    const events: KnownEvent[] = [
      turn,
      asks('one'),
      says('1'),
      turn,
      asks('two'),
      says('2'),
      turn,
      asks('three'),
      calls('a'),
      gives('a', 'long'),
      says('3'),
      turn,
      asks('four'),
      calls('b'),
      gives('b', 'long'),
      says('4'),
      {type: 'compaction', from_turn: 0, to_turn: 1, summary: {summary: 'S'}, timestamp},
      {
        type: 'compaction',
        from_turn: 2,
        to_turn: 2,
        tool_calls: {policy: 'strip', request: false, response: true},
        timestamp,
      },
      {type: 'compaction', from_turn: 3, to_turn: 3, tool_calls: {policy: 'omit'}, timestamp},
    ]
    assert.deepEqual(short(projectTranscript(events)), [
      'user text:Summary of the conversation so far:\n\nS\n\nthree',
      'assistant call:a',
      'tool result:a=[Removed to save space.]',
      'assistant text:3',
      'user text:four',
      'assistant text:4',
    ])
  })

  it('FR-26: half a character never reaches a provider', () => {
    const events: KnownEvent[] = [
      asks('a\ud83d'),
      {type: 'tool_call_request', id: 'a', name: 'ls', arguments: {'k\ud83d': ['\udfe2']}, timestamp},
      gives('a', 'x\ud83d'),
    ]
    assert.ok(JSON.stringify(projectTranscript(events)).isWellFormed())
    assert.doesNotMatch(JSON.stringify(projectTranscript(events)), /\\ud[89a-f]/i)
  })

  it('FR-25: whatever a stream holds, every call has exactly one result, right behind it, and roles alternate', () => {
    const id = fc.constantFrom('a', 'b', 'c', '0')
    const event: fc.Arbitrary<KnownEvent> = fc.oneof(
      fc.constant(turn),
      fc.string().map(asks),
      fc.string().map(says),
      fc.string().map((text) => thinks(text)),
      id.map((value) => calls(value)),
      id.map((value) => gives(value, 'r')),
      fc.tuple(fc.nat(4), fc.nat(4), fc.boolean()).map(
        ([from, length, whole]): KnownEvent => ({
          type: 'compaction',
          from_turn: from,
          to_turn: from + length,
          timestamp,
          ...(whole ? {summary: {summary: 'S'}} : {tool_calls: {policy: 'omit'}}),
        }),
      ),
    )
    fc.assert(
      fc.property(fc.array(event, {maxLength: 40}), (events) => {
        const before = JSON.stringify(events)
        const messages = projectTranscript(events)
        assert.equal(JSON.stringify(events), before)
        const seen = new Set<string>()
        messages.forEach((message, index) => {
          const next = messages[index + 1]
          const ids = (at: LanguageModelV4Message | undefined, type: string): string[] =>
            at === undefined || at.role === 'system'
              ? []
              : at.content.flatMap((part) => ('toolCallId' in part && part.type === type ? [part.toolCallId] : []))
          const asked = ids(message, 'tool-call')
          for (const one of asked) assert.ok(!seen.has(one), `the id ${one} is used twice`)
          for (const one of asked) seen.add(one)
          assert.deepEqual(next?.role === 'tool' ? ids(next, 'tool-result') : [], asked)
          if (message.role === 'tool') assert.equal(messages[index - 1]?.role, 'assistant')
          if (message.role === 'user') assert.notEqual(next?.role, 'user')
          if (message.role === 'assistant') assert.notEqual(next?.role, 'assistant')
        })
        if (messages.length > 0) assert.equal(messages[0]?.role, 'user')
      }),
      fuzz(100),
    )
  })
})
