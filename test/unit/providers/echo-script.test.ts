import assert from 'node:assert/strict'
import {parseEchoScript} from '../../../src/providers/echo-script.js'

const kinds = (script: unknown): string[][] =>
  parseEchoScript(JSON.stringify(script), 'steps.json').map((response) => response.map((step) => step.does))

describe('echo scripts', () => {
  it('W25: tool calls end a response, and so do end, error, stall and cut', () => {
    const call = {tool_call: {name: 'ls'}}
    assert.deepEqual(
      kinds([
        {reasoning: 'hm'},
        call,
        call,
        {text: 'a'},
        {end: 'stop'},
        {error: 'failed'},
        {stall: true},
        {delay_ms: 1},
        {cut: true},
        {data: {}},
        call,
        {delay_ms: 5},
        {end: 'length'},
        {echo: true},
      ]),
      [
        ['reasoning', 'call', 'call'],
        ['text', 'end'],
        ['fail'],
        ['stall'],
        ['wait', 'cut'],
        ['text', 'call', 'wait', 'end'],
        ['echo'],
      ],
    )
  })

  const wrong: readonly [unknown, string, string | undefined][] = [
    [{text: 'x'}, 'The echo script s.json is not a list of steps.', '[{"text": "Hello."}]'],
    [['x'], 'Step 1 of the echo script s.json is not an object.', undefined],
    [
      [{text: 'x'}, {tex: 'y'}],
      'Step 2 of the echo script s.json has none of text, reasoning, data, echo, tool_call, error, stall, cut, end, delay_ms.',
      'Did you mean "text"?',
    ],
    [[{text: 1}], 'Step 1 of the echo script s.json: text is not a text.', undefined],
    [[{text: '', repeat: -1}], 'Step 1 of the echo script s.json: repeat is not a number from 0 on.', undefined],
    [[{tool_call: {}}], 'Step 1 of the echo script s.json: tool_call.name is not a text.', undefined],
    [
      [{error: 'nope'}],
      'Step 1 of the echo script s.json: error.kind is none of unauthorised, rate_limited, failed, refused, unreachable, misbehaved.',
      undefined,
    ],
  ]
  for (const [script, message, hint] of wrong) {
    it(`W25, Q4: refuses ${JSON.stringify(script)}`, () => {
      assert.throws(() => parseEchoScript(JSON.stringify(script), 's.json'), {code: 'config_invalid', message, hint})
    })
  }

  it('W25: a script that is no JSON names its file', () => {
    assert.throws(() => parseEchoScript('[', '/x/s.json'), {
      code: 'config_malformed',
      message: 'The echo script /x/s.json is not JSON.',
    })
  })
})
