/** A wire that a model server speaks. */
export type Wire = 'anthropic' | 'responses' | 'chat' | 'google'

/** What a model says in one answer. */
export type Speech = {
  readonly reasoning?: string
  readonly text?: readonly string[]
  readonly calls?: readonly {id: string; name: string; arguments: Readonly<Record<string, unknown>>}[]
}

/** The `data:` frames of a whole answer on a wire, in recorded shape; the last one or two end it. */
export const framesOf = (wire: Wire, speech: Speech): string[] => {
  if (wire === 'anthropic') return anthropic(speech).map((event) => sse(event, String(event['type'])))
  if (wire === 'responses') return responses(speech).map((event) => sse(event, String(event['type'])))
  if (wire === 'google') return google(speech).map((event) => sse(event))
  return [...chat(speech).map((event) => sse(event)), 'data: [DONE]\n\n']
}

/** How many frames at the end of {@link framesOf} tell that the answer is whole. */
export const endingFrames: Readonly<Record<Wire, number>> = {anthropic: 2, responses: 1, chat: 3, google: 1}

type Event = Readonly<Record<string, unknown>>

const sse = (event: Event, name?: string): string =>
  `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(event)}\n\n`

const halves = (text: string): string[] => [text.slice(0, text.length >> 1), text.slice(text.length >> 1)]

const chat = ({reasoning, text = [], calls = []}: Speech): Event[] => {
  const chunk = (delta: Event, finish: string | null = null): Event => ({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1_790_000_000,
    model: 'served',
    choices: [{index: 0, delta, finish_reason: finish}],
  })
  const callChunks = calls.flatMap((call, index) => {
    const [first, second] = halves(JSON.stringify(call.arguments))
    return [
      chunk({tool_calls: [{index, id: call.id, type: 'function', function: {name: call.name, arguments: first}}]}),
      chunk({tool_calls: [{index, function: {arguments: second}}]}),
    ]
  })
  return [
    chunk({role: 'assistant', content: ''}),
    ...(reasoning === undefined ? [] : halves(reasoning).map((part) => chunk({reasoning_content: part}))),
    ...text.map((part) => chunk({content: part})),
    ...callChunks,
    chunk({}, calls.length > 0 ? 'tool_calls' : 'stop'),
    {...chunk({}), choices: [], usage: {prompt_tokens: 11, completion_tokens: 7, total_tokens: 18}},
  ]
}

const anthropic = ({reasoning, text = [], calls = []}: Speech): Event[] => {
  const events: Event[] = []
  let index = 0
  const block = (start: Event, deltas: readonly Event[]): void => {
    events.push({type: 'content_block_start', index, content_block: start})
    for (const delta of deltas) events.push({type: 'content_block_delta', index, delta})
    events.push({type: 'content_block_stop', index})
    index += 1
  }
  if (reasoning !== undefined) {
    block({type: 'thinking', thinking: '', signature: ''}, [
      ...halves(reasoning).map((thinking) => ({type: 'thinking_delta', thinking})),
      {type: 'signature_delta', signature: 'c2lnbmF0dXJl'},
    ])
  }
  if (text.length > 0) {
    const deltas = text.map((part) => ({type: 'text_delta', text: part}))
    block({type: 'text', text: ''}, deltas)
  }
  for (const call of calls) {
    const deltas = halves(JSON.stringify(call.arguments)).map((partial_json) => ({
      type: 'input_json_delta',
      partial_json,
    }))
    block({type: 'tool_use', id: call.id, name: call.name, input: {}}, deltas)
  }
  const message = {id: 'msg_1', type: 'message', role: 'assistant', model: 'served', content: []}
  const stop = {stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn', stop_sequence: null}
  return [
    {
      type: 'message_start',
      message: {...message, stop_reason: null, stop_sequence: null, usage: {input_tokens: 11, output_tokens: 1}},
    },
    {type: 'ping'},
    ...events,
    {type: 'message_delta', delta: stop, usage: {output_tokens: 7}},
    {type: 'message_stop'},
  ]
}

const google = ({reasoning, text = [], calls = []}: Speech): Event[] => {
  const parts: Event[] = [
    ...(reasoning === undefined ? [] : halves(reasoning).map((part) => ({text: part, thought: true}))),
    ...text.map((part) => ({text: part})),
    ...calls.map((call, index) => ({
      functionCall: {id: call.id, name: call.name, args: call.arguments},
      ...(index === 0 ? {thoughtSignature: 'dGhvdWdodA=='} : {}),
    })),
  ]
  const candidate = (content: readonly Event[], more: Event = {}): Event => ({
    candidates: [{content: {role: 'model', parts: content}, index: 0, ...more}],
  })
  const usage = {promptTokenCount: 11, candidatesTokenCount: 7, totalTokenCount: 18}
  return [
    ...parts.map((part) => candidate([part])),
    {...candidate([{text: ''}], {finishReason: 'STOP'}), usageMetadata: usage},
  ]
}

const responses = ({reasoning, text = [], calls = []}: Speech): Event[] => {
  const events: Event[] = []
  let output_index = 0
  const item = (added: Event, between: readonly Event[], done: Event): void => {
    events.push({type: 'response.output_item.added', output_index, item: added})
    for (const event of between) events.push({...event, output_index})
    events.push({type: 'response.output_item.done', output_index, item: done})
    output_index += 1
  }
  if (reasoning !== undefined) {
    const started = {type: 'reasoning', id: 'rs_1', summary: []}
    const summary = {item_id: 'rs_1', summary_index: 0}
    const done = {...started, encrypted_content: 'ZW5jcnlwdGVk', summary: [{type: 'summary_text', text: reasoning}]}
    const deltas = halves(reasoning).map((delta) => ({
      type: 'response.reasoning_summary_text.delta',
      ...summary,
      delta,
    }))
    const opened = {type: 'response.reasoning_summary_part.added', ...summary, part: {type: 'summary_text', text: ''}}
    item({...started, encrypted_content: null}, [opened, ...deltas], done)
  }
  if (text.length > 0) {
    const message = {type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', phase: 'final_answer'}
    const deltas = text.map((delta) => ({
      type: 'response.output_text.delta',
      item_id: 'msg_1',
      content_index: 0,
      delta,
    }))
    const content = [{type: 'output_text', text: text.join(''), annotations: []}]
    item({...message, content: []}, deltas, {...message, content})
  }
  for (const call of calls) {
    const id = `fc_${call.id}`
    const json = JSON.stringify(call.arguments)
    const started = {type: 'function_call', id, call_id: call.id, name: call.name, arguments: '', status: 'in_progress'}
    const deltas = halves(json).map((delta) => ({type: 'response.function_call_arguments.delta', item_id: id, delta}))
    item(started, deltas, {...started, arguments: json, status: 'completed'})
  }
  const usage = {input_tokens: 11, output_tokens: 7, total_tokens: 18}
  const response = {id: 'resp_1', created_at: 1_790_000_000, model: 'served', service_tier: 'default'}
  return [
    {type: 'response.created', response},
    ...events,
    {type: 'response.completed', response: {...response, usage, output: [], incomplete_details: null}},
  ].map((event, sequence_number) => ({...event, sequence_number}))
}
