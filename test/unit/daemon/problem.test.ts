import assert from 'node:assert/strict'
import {problemOf} from '../../../src/daemon/problem.js'
import {catalogue, type ErrorCode} from '../../../src/errors/catalogue.js'
import {JpError} from '../../../src/errors/jp-error.js'

describe('the one error shape', () => {
  it('D23: every code has a status, an error, and its own name', () => {
    for (const code of Object.keys(catalogue) as ErrorCode[]) {
      const {status, body} = problemOf(new JpError(code, 'Words.'))
      assert.ok(status >= 400 && status < 600, code)
      assert.equal(body.code, code)
      assert.ok(body.error.length > 0)
    }
  })

  it('D23: says what the subject is, and when to come again', () => {
    const {status, headers, body} = problemOf(
      new JpError('prompt_queue_full', 'Full.', {hint: 'Wait.', details: {sessionId: 'x', limit: 5}}),
    )
    assert.deepEqual([status, headers], [503, {'retry-after': '5'}])
    assert.deepEqual(body, {error: 'Full.', code: 'prompt_queue_full', hint: 'Wait.', sessionId: 'x', limit: 5})
  })

  it('D26: the words of other parts stay in the log, with their paths, values and stacks', () => {
    const secret = '/home/me/.local/share/jp/x'
    const errors = [
      new JpError('conversation_corrupt', `${secret}: torn`, {hint: secret, details: {path: secret}}),
      new JpError('child_failed', `Can't start ${secret}`),
      new Error(secret),
      secret,
    ]
    for (const error of errors) {
      const {status, body} = problemOf(error)
      assert.equal(status >= 500, true)
      assert.equal(JSON.stringify(body).includes(secret), false)
    }
  })
})
