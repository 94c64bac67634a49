import assert from 'node:assert/strict'
import type {Wire} from './wire-frames.js'

type Fields = Readonly<Record<string, unknown>>

const listOf = (value: unknown): readonly Fields[] => {
  assert.ok(Array.isArray(value), `no list: ${JSON.stringify(value)}`)
  return value as readonly Fields[]
}
const blocksOf = (message: Fields): readonly Fields[] =>
  typeof message['content'] === 'string' ? [{type: 'text', text: message['content']}] : listOf(message['content'])
const textsOf = (blocks: readonly Fields[], key: string): string[] =>
  blocks.filter((block) => block[key] !== undefined).map((block) => String(block[key]))

/** What the real servers refuse, for each wire: a call without its result, a result without its call, roles that repeat. */
const rules: Readonly<Record<Wire, (body: Fields) => void>> = {
  anthropic(body) {
    const messages = listOf(body['messages'])
    const used = new Set<string>()
    messages.forEach((message, index) => {
      assert.equal(message['role'], index % 2 === 0 ? 'user' : 'assistant', 'roles alternate, the user first')
      const blocks = blocksOf(message)
      assert.ok(blocks.length > 0, 'no message is empty')
      for (const block of blocks) if (block['type'] === 'text') assert.match(String(block['text']), /\S/)
      const calls = textsOf(
        blocks.filter(({type}) => type === 'tool_use'),
        'id',
      )
      const next = messages[index + 1]
      const answers = next === undefined ? [] : blocksOf(next).filter(({type}) => type === 'tool_result')
      assert.deepEqual(textsOf(answers, 'tool_use_id'), calls, 'each call has its result in the next message')
      if (next !== undefined && answers.length > 0) {
        assert.deepEqual(blocksOf(next).slice(0, answers.length), answers, 'results stand first')
      }
      for (const id of calls) assert.ok(!used.has(id) && used.add(id), 'ids are used once')
    })
  },
  chat(body) {
    const messages = listOf(body['messages'])
    let open: string[] = []
    for (const message of messages) {
      if (message['role'] === 'tool') {
        const id = String(message['tool_call_id'])
        assert.ok(open.includes(id), 'a result answers a call of the message before')
        open = open.filter((other) => other !== id)
        continue
      }
      assert.deepEqual(open, [], 'every call has its result before anything else')
      if (message['tool_calls'] !== undefined) open = textsOf(listOf(message['tool_calls']), 'id')
    }
    assert.deepEqual(open, [])
  },
  responses(body) {
    const input = listOf(body['input'])
    const calls = textsOf(
      input.filter(({type}) => type === 'function_call'),
      'call_id',
    )
    const outputs = textsOf(
      input.filter(({type}) => type === 'function_call_output'),
      'call_id',
    )
    assert.deepEqual(outputs.toSorted(), calls.toSorted(), 'each call has exactly one output')
    assert.equal(new Set(calls).size, calls.length)
    input.forEach((item, index) => {
      if (item['type'] !== 'reasoning') return
      const next = input[index + 1]
      assert.ok(next !== undefined && next['role'] !== 'user', 'no reasoning stands without what it led to')
    })
  },
  google(body) {
    const contents = listOf(body['contents'])
    contents.forEach((content, index) => {
      const parts = listOf(content['parts'])
      if (content['role'] === 'model') assert.equal(contents[index - 1]?.['role'], 'user', 'a model answers a user')
      assert.ok(parts.length > 0, 'no content is empty')
      const calls = parts.filter((part) => part['functionCall'] !== undefined).length
      const next = contents[index + 1]
      const answers =
        next === undefined ? 0 : listOf(next['parts']).filter((part) => part['functionResponse'] !== undefined).length
      assert.equal(answers, calls, 'each call has its response in the next content')
    })
  },
}

const turns = {anthropic: 'messages', chat: 'messages', responses: 'input', google: 'contents'} as const

/** Holds a request in the middle of a turn against what the real server of the wire would refuse. */
export const assertAnswered = (wire: Wire, body: Fields): void => rules[wire](body)

/** The same for the request of a message: the user has the last word. */
export const assertAccepted = (wire: Wire, body: Fields, about: string): void => {
  try {
    rules[wire](body)
    assert.equal(listOf(body[turns[wire]]).at(-1)?.['role'], 'user')
  } catch (error) {
    assert.fail(
      `${about}: ${error instanceof Error ? error.message : String(error)}\n${JSON.stringify(body, undefined, 1)}`,
    )
  }
}
