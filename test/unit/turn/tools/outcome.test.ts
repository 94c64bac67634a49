import assert from 'node:assert/strict'
import {readOutcome} from '../../../../src/turn/tools/outcome.js'

const of = (stdout: string, failure?: string) => readOutcome({stdout, stderr: 'oh', failure})

describe('the outcome of a local tool', () => {
  it('facts 9.5: stdout is the content; a failure carries message, stdout and stderr', () => {
    assert.deepEqual(of('plain\n'), {type: 'success', content: 'plain\n'})
    const failed = of('out', 'exit code 2')
    assert.equal(failed.type, 'error')
    assert.deepEqual('content' in failed && JSON.parse(failed.content), {
      message: 'The tool failed: exit code 2.',
      stdout: 'out',
      stderr: 'oh',
    })
  })

  it('facts 9.5: JSON of the three shapes is an outcome, any other JSON is content', () => {
    assert.deepEqual(of('{"type":"success","content":"yes"}'), {type: 'success', content: 'yes'})
    assert.equal(of('{"type":"error","message":"no","trace":["a"],"transient":true}', 'exit code 1').type, 'error')
    assert.deepEqual(
      of('{"type":"needs_input","question":{"id":"q","text":"Sure?","answer_type":"Boolean","default":true}}'),
      {
        type: 'needs_input',
        question: {id: 'q', text: 'Sure?', answer: {type: 'boolean'}, default: true},
      },
    )
    assert.deepEqual(
      of('{"type":"needs_input","question":{"id":"q","text":"Which?","answer_type":{"Select":{"options":["a","b"]}}}}'),
      {type: 'needs_input', question: {id: 'q', text: 'Which?', answer: {type: 'select', options: ['a', 'b']}}},
    )
    assert.deepEqual(of('{"type":"other"}'), {type: 'success', content: '{"type":"other"}'})
  })
})
