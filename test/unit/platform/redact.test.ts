import assert from 'node:assert/strict'
import {createRedactor} from '../../../src/platform/redact.js'

describe('redact', () => {
  it('W33: values of variables that are named like secrets are replaced by their names, the longest first', () => {
    const redact = createRedactor({
      OPENAI_API_KEY: 'sk-12345678',
      A_TOKEN: 'sk-12345678-and-more',
      HOME: '/home/someone',
      PIN_KEY: 'abc',
    })
    assert.equal(
      redact('key sk-12345678, token sk-12345678-and-more, /home/someone abc'),
      'key [redacted OPENAI_API_KEY], token [redacted A_TOKEN], /home/someone abc',
    )
  })
})
