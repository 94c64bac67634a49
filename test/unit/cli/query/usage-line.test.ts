import assert from 'node:assert/strict'
import {usageLine} from '../../../../src/cli/query/usage-line.js'

describe('the usage line', () => {
  it('W29: says what came in and went out, and what of it was cached or thought', () => {
    assert.equal(usageLine({input_tokens: 12, output_tokens: 3}), 'tokens: 12 in, 3 out')
    assert.equal(
      usageLine({input_tokens: 1234567, cached_input_tokens: 1000, output_tokens: 45_678, reasoning_tokens: 999}),
      'tokens: 1,234,567 in (1,000 cached), 45,678 out (999 reasoning)',
    )
    assert.equal(
      usageLine({input_tokens: 5, cached_input_tokens: 0, output_tokens: 0, reasoning_tokens: 0}),
      'tokens: 5 in, 0 out',
    )
  })

  it('W29: is left out when the provider says nothing', () => {
    assert.equal(usageLine({}), undefined)
    assert.equal(usageLine({cached_input_tokens: 3}), undefined)
    assert.equal(usageLine({output_tokens: 3}), 'tokens: 0 in, 3 out')
  })
})
