import assert from 'node:assert/strict'
import type {LanguageModelV4CallOptions, LanguageModelV4StreamPart} from '@ai-sdk/provider'
import type {KnownEvent} from '../../../src/conversation/event.js'
import {answerIn, createInquirer, type Inquiry} from '../../../src/turn/inquiry.js'
import type {ToolQuestion} from '../../../src/turn/tool.js'
import {streamingModel} from '../../support/turn-fakes.js'

const assistant = {
  name: 'Jo',
  system_prompt: 'Be brief.',
  system_prompt_sections: [],
  instructions: [],
  tool_choice: 'required',
  model: {},
  request: {
    max_retries: 5,
    base_backoff_ms: 1000,
    max_backoff_secs: 60,
    stream_idle_timeout_secs: 60,
    max_response_bytes: 1,
    cache: 'off',
  },
}

const answering = (text: string) => {
  const asked: LanguageModelV4CallOptions[] = []
  const parts: LanguageModelV4StreamPart[] = [
    {type: 'text-start', id: 't'},
    {type: 'text-delta', id: 't', delta: text},
    {type: 'text-end', id: 't'},
  ]
  const model = streamingModel(async (options) => {
    asked.push(options)
    return {
      stream: new ReadableStream({start: (sink) => (parts.forEach((part) => sink.enqueue(part)), sink.close())}),
    }
  })
  return {model, asked}
}

const events: readonly KnownEvent[] = [
  {type: 'chat_request', content: 'tidy up', timestamp: ''},
  {type: 'tool_call_request', id: 'a', name: 'rm', arguments: {path: 'x'}, timestamp: ''},
  {type: 'tool_call_request', id: 'b', name: 'ls', arguments: {}, timestamp: ''},
  {
    type: 'inquiry_request',
    id: 'a.sure',
    source: {source: 'tool', name: 'rm'},
    question: {text: 'Sure?', answer_type: {type: 'boolean'}},
    timestamp: '',
  },
]
const question: ToolQuestion = {
  id: 'sure',
  text: 'Sure?',
  preamble: '3 files',
  answer: {type: 'boolean'},
  default: false,
}
const tools: Inquiry['tools'] = [{type: 'function', name: 'rm', inputSchema: {type: 'object'}}]
const inquiry: Inquiry = {call: {id: 'a', name: 'rm'}, question, overrides: {}, events, tools}

describe('turn/inquiry', () => {
  it('W26, facts 9.6: the assistant sees the conversation, every open call with a result, and the question', async () => {
    const {model, asked} = answering('```json\n{"answer": true}\n```')
    const inquirer = createInquirer({assistant, overrides: {}, attachments: [], openModel: async () => model})
    assert.deepEqual(await inquirer.ask(inquiry, new AbortController().signal), {answer: {value: true}, usage: {}})
    const [call = assert.fail()] = asked
    assert.deepEqual([call.tools, call.toolChoice], [tools, {type: 'none'}])
    const [system, user, request, results, last, ...more] = call.prompt
    assert.deepEqual(more, [])
    assert.deepEqual(system, {role: 'system', content: 'Your name is Jo.\n\nBe brief.'})
    assert.equal(user?.role, 'user')
    assert.deepEqual(
      request?.role === 'assistant' && request.content.map((part) => part.type === 'tool-call' && part.toolCallId),
      ['a', 'b'],
    )
    assert.deepEqual(
      results?.role === 'tool' && results.content.map((part) => part.type === 'tool-result' && part.output),
      [
        {type: 'text', value: 'This tool asks a question before it goes on.'},
        {type: 'text', value: 'This call has not ended yet.'},
      ],
    )
    const text = last?.role === 'user' && last.content[0]?.type === 'text' ? last.content[0].text : ''
    assert.equal(
      text,
      'The tool rm asks:\n\n3 files\n\nSure?\n\nAnswer it in place of the user, from what you know of this conversation. ' +
        'Write JSON only: {"answer": true} or {"answer": false}. When you can\'t tell, the answer is false.',
    )
  })

  it('W26: who answers is conversation.inquiry.assistant, and over it what the question names', async () => {
    const {model, asked} = answering('{"answer": false}')
    const opened: unknown[] = []
    const inquirer = createInquirer({
      assistant,
      overrides: {system_prompt: 'Decide.', model: {id: 'a/b'}},
      attachments: [],
      openModel: async (overrides) => (opened.push(overrides.model?.id), model),
    })
    const signal = new AbortController().signal
    await inquirer.ask(inquiry, signal)
    await inquirer.ask({...inquiry, overrides: {model: {id: 'c/d'}, tool_choice: 'auto'}}, signal)
    assert.deepEqual(opened, ['a/b', 'c/d'])
    assert.deepEqual(
      asked.map(({toolChoice}) => toolChoice?.type),
      ['none', 'auto'],
    )
    assert.ok(asked.every(({prompt: [system]}) => system?.role === 'system' && system.content.endsWith('Decide.')))
  })

  it('W26: only an answer that fits the question is one', () => {
    const of = (answer: ToolQuestion['answer'], text: string) => answerIn(text, {id: 'q', text: '?', answer})?.value
    const [boolean, text, select] = [{type: 'boolean'}, {type: 'text'}, {type: 'select', options: ['a', 'b']}] as const
    assert.equal(of(boolean, 'Sure: {"answer": false}'), false)
    assert.equal(of(text, '{"answer": "{x}"}'), '{x}')
    assert.equal(of(select, '{"answer": "b"}'), 'b')
    for (const [answer, words] of [
      [boolean, 'yes'],
      [boolean, '{"answer": "true"}'],
      [text, '{"answer": 3}'],
      [text, '{"reply": "x"}'],
      [select, '{"answer": "c"}'],
      [select, '{"answer": "b"'],
      [boolean, ''],
    ] as const) {
      assert.equal(of(answer, words), undefined, words)
    }
  })
})
