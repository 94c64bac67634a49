import assert from 'node:assert/strict'
import fc from 'fast-check'
import type {JsonSchema} from '../../../../src/turn/json-schema.js'
import {checkArguments} from '../../../../src/turn/tools/arguments.js'
import {fuzz} from '../../../support/fuzz.js'

const schema: JsonSchema = {
  type: 'object',
  properties: {
    path: {type: 'string'},
    depth: {type: 'integer', default: 1},
    deep: {type: 'boolean'},
    list: {type: 'array', items: {type: 'number'}},
    kind: {type: 'string', enum: ['a', 'b']},
    options: {type: 'object', properties: {x: {type: 'integer'}}, required: ['x']},
  },
  required: ['path'],
  additionalProperties: false,
}
const problems = (given: Record<string, unknown>): readonly string[] => {
  const checked = checkArguments(schema, given)
  return checked.ok ? [] : checked.problems
}

describe('the arguments of a tool call', () => {
  it('W26, facts 9.5: defaults are filled in, JSON in a text becomes the declared type', () => {
    const given = {path: 'x', depth: '3', deep: 'true', list: '[1, "2"]', options: '{"x": "7"}', kind: 'a'}
    assert.deepEqual(checkArguments(schema, given), {
      ok: true,
      arguments: {path: 'x', depth: 3, deep: true, list: [1, 2], options: {x: 7}, kind: 'a'},
    })
    assert.deepEqual(checkArguments(schema, {path: 12, list: 5}), {
      ok: true,
      arguments: {path: '12', depth: 1, list: [5]},
    })
    assert.deepEqual(checkArguments(schema, {path: '12', deep: null}), {ok: true, arguments: {path: '12', depth: 1}})
  })

  it('W26: unknown, missing and wrong arguments are told to the model by name', () => {
    assert.deepEqual(problems({}), ['The argument "path" is missing.'])
    assert.deepEqual(problems({path: 'x', nope: 1}), ['There is no argument "nope".'])
    assert.deepEqual(problems({path: 'x', depth: 1.5}), ['The argument "depth" must be integer, not number.'])
    assert.deepEqual(problems({path: 'x', kind: 'c'}), ['The argument "kind" must be one of "a", "b".'])
    assert.deepEqual(problems({path: 'x', options: {}}), ['The argument "options.x" is missing.'])
  })

  it('W26: a checked call passes the check again unchanged, whatever came in', () => {
    const any = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null), fc.array(fc.integer()), fc.json())
    const given = fc.record(
      {path: any, depth: any, deep: any, list: any, kind: any, options: fc.oneof(any, fc.record({x: any}))},
      {requiredKeys: []},
    )
    fc.assert(
      fc.property(given, (value) => {
        const first = checkArguments(schema, value)
        if (!first.ok) return assert.ok(first.problems.length > 0)
        assert.deepEqual(checkArguments(schema, first.arguments), first)
      }),
      fuzz(100),
    )
  })
})
