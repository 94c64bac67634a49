import assert from 'node:assert/strict'
import {resultText} from '../../../src/mcp/content.js'

describe('results of MCP tools', () => {
  it('W26: text and embedded resources are joined by a blank line, other parts are named', () => {
    const result = resultText({
      content: [
        {type: 'text', text: 'one'},
        {type: 'resource', resource: {uri: 'a:b', text: 'two'}},
        {type: 'resource', resource: {uri: 'a:c', blob: 'dGhyZWU='}},
        {type: 'image', data: 'aGVsbG8=', mimeType: 'image/png'},
        {type: 'audio', data: 'aGVsbG8=', mimeType: 'audio/wav'},
        {type: 'resource_link', uri: 'file:///x', name: 'x', title: 'The x'},
      ],
    })
    assert.deepEqual(result, {
      content: [
        'one',
        'two',
        'dGhyZWU=',
        '[image, image/png, 5 bytes: not shown]',
        '[audio, audio/wav, 5 bytes: not shown]',
        '[resource file:///x "The x": not read]',
      ].join('\n\n'),
      isError: false,
    })
  })

  it('W26: an error stays one, and what is structured only is told as JSON', () => {
    assert.deepEqual(resultText({content: [{type: 'text', text: 'no'}], isError: true}), {content: 'no', isError: true})
    assert.deepEqual(resultText({content: [], structuredContent: {sum: 3}}), {content: '{"sum":3}', isError: false})
    assert.deepEqual(resultText({content: []}), {content: '', isError: false})
  })
})
