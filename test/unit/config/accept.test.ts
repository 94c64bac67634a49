import assert from 'node:assert/strict'
import fc from 'fast-check'
import * as z from 'zod'
import {accept} from '../../../src/config/accept.js'
import type {Field} from '../../../src/config/outline.js'
import {configurationSchema} from '../../../src/config/schema.js'
import {schema} from '../../../src/config/schema-outline.js'
import {childField, knownKeys} from '../../../src/config/tree.js'
import type {ConfigObject, ConfigValue} from '../../../src/config/value.js'
import {fuzz} from '../../support/fuzz.js'

/** Values that one field or another takes, and some that none does. */
const anyValue: fc.Arbitrary<ConfigValue> = fc.oneof(
  fc.constantFrom<ConfigValue>(
    true,
    'ask',
    'deny',
    'auto',
    'off',
    '3ms',
    '',
    'echo/echo',
    0,
    1,
    -1,
    1.5,
    70_000,
    2 ** 60,
  ),
  fc.jsonValue({maxDepth: 2}).map((value) => value as ConfigValue),
)

/** A value for a field: mostly what it takes, by its outline. */
const valueFor = (field: Field, depth: number): fc.Arbitrary<ConfigValue> => {
  const node = field.node
  if (depth === 0) return anyValue
  const fitting = (): fc.Arbitrary<ConfigValue> => {
    switch (node.kind) {
      case 'table':
        return tableFor(field, depth)
      case 'map':
        return fc.dictionary(fc.constantFrom('a', 'b_c', '*', 'anthropic'), valueFor(node.value, depth - 1), {
          maxKeys: 2,
        })
      case 'list':
        return fc.array(valueFor(node.item, depth - 1), {maxLength: 2})
      case 'choice':
        return fc.oneof(...node.options.map((option) => valueFor(option, depth)))
      case 'leaf':
        return node.leaf.type === 'word' ? fc.constantFrom(...node.leaf.words) : anyValue
      case 'free':
        return anyValue
    }
  }
  return fc.oneof({weight: 9, arbitrary: fitting()}, {weight: 1, arbitrary: anyValue})
}

const tableFor = (field: Field, depth: number): fc.Arbitrary<ConfigObject> =>
  fc
    .subarray(knownKeys(field), {maxLength: Math.min(4, knownKeys(field).length)})
    .chain((keys) =>
      fc.record(Object.fromEntries(keys.map((key) => [key, valueFor(childField(field, key) ?? field, depth - 1)]))),
    )

/** Without the keys that hold `undefined`. */
const plain = (data: unknown): unknown => JSON.parse(JSON.stringify(data))

describe('config/accept', () => {
  it('W14: the outline accepts what the zod schema accepts, and fills in the same defaults', () => {
    let accepted = 0
    fc.assert(
      fc.property(tableFor(schema, 6), (layer) => {
        const byZod = z.safeParse(configurationSchema, layer, {jitless: true})
        const ours = accept(schema, layer)
        assert.equal(ours.ok, byZod.success, JSON.stringify(byZod.error?.issues))
        if (ours.ok && byZod.success) assert.deepEqual(ours.value, plain(byZod.data))
        if (ours.ok) accepted++
      }),
      fuzz(500),
    )
    assert.ok(accepted > 50, `only ${accepted} were accepted: the property says little`)
  })

  it('W14: nothing at all comes to every default', () => {
    const ours = accept(schema, {})
    assert.deepEqual(ours.ok && ours.value, plain(configurationSchema.parse({})))
  })

  it('W16: what is wrong is named by its path', () => {
    assert.deepEqual(accept(schema, {style: {code: {color: 'perhaps'}}}), {
      ok: false,
      path: ['style', 'code', 'color'],
      problem: undefined,
    })
    const halfServer = accept(schema, {providers: {mcp: {files: {type: 'http'}}}})
    assert.deepEqual(halfServer.ok ? undefined : halfServer.path, ['providers', 'mcp', 'files'])
    assert.match((!halfServer.ok && halfServer.problem) || '', /an http server needs `url`/)
  })
})
