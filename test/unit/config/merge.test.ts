import assert from 'node:assert/strict'
import fc from 'fast-check'
import {difference, mergeLayers, settled} from '../../../src/config/merge.js'
import {normalise} from '../../../src/config/normalise.js'
import {schema} from '../../../src/config/schema-outline.js'
import {schemaRows} from '../../../src/config/schema-rows.js'
import {type ConfigObject, type ConfigValue, isTable, nested} from '../../../src/config/value.js'
import {fuzz} from '../../support/fuzz.js'

const merged = (...layers: ConfigObject[]): ConfigObject =>
  settled(
    schema,
    layers.reduce<ConfigObject>(
      (below, layer) => mergeLayers(schema, {below, above: normalise(schema, layer).value}),
      {},
    ),
  )

const prompt = (value: ConfigValue): ConfigObject => ({assistant: {system_prompt: value}})
const attachments = (value: ConfigValue): ConfigObject => ({conversation: {attachments: value}})

describe('config/merge', () => {
  it('W13: tables merge field by field, maps key by key, scalars are replaced', () => {
    assert.deepEqual(
      merged(
        {style: {code: {color: true, line_numbers: true}}, providers: {llm: {aliases: {a: 'x/1', b: 'x/2'}}}},
        {style: {code: {color: false}}, providers: {llm: {aliases: {b: 'x/3'}}}},
      ),
      {
        style: {code: {color: false, line_numbers: true}},
        providers: {llm: {aliases: {a: {provider: 'x', name: '1'}, b: {provider: 'x', name: '3'}}}},
      },
    )
  })

  it('W13: a growing list appends, prepends or replaces, and keeps equal items once where it says so', () => {
    const of = (value: ConfigValue): unknown => merged(attachments(['a', 'b']), attachments(value))
    assert.deepEqual(of(['c', 'a']), attachments(['a', 'b', 'c']))
    assert.deepEqual(of({value: ['c'], strategy: 'prepend'}), attachments(['c', 'a', 'b']))
    assert.deepEqual(of({value: ['c'], strategy: 'replace'}), attachments(['c']))
    assert.deepEqual(of({value: ['c']}), attachments(['a', 'b', 'c']))
    const words = (value: ConfigValue): ConfigObject => ({assistant: {model: {parameters: {stop_words: value}}}})
    assert.deepEqual(merged(words(['a']), words(['b'])), words(['b']))
    assert.deepEqual(merged(words(['a']), words({value: ['b'], strategy: 'append'})), words(['a', 'b']))
  })

  it('W13: what discards itself goes as soon as another layer gives a value', () => {
    const first = attachments({value: ['a'], discard_when_merged: true})
    assert.deepEqual(merged(first, attachments(['b'])), attachments(['b']))
    assert.deepEqual(
      merged(
        prompt({value: 'a', strategy: 'append', discard_when_merged: true}),
        prompt({value: 'b', strategy: 'append'}),
      ),
      prompt('b'),
    )
  })

  it('W13: text is replaced, or joined as it says', () => {
    const of = (value: ConfigValue): unknown => merged(prompt('one'), prompt(value))
    assert.deepEqual(of('two'), prompt('two'))
    assert.deepEqual(of({value: 'two', strategy: 'append'}), prompt('onetwo'))
    assert.deepEqual(of({value: 'two', strategy: 'append', separator: 'paragraph'}), prompt('one\n\ntwo'))
    assert.deepEqual(of({value: 'two', strategy: 'prepend', separator: 'space'}), prompt('two one'))
  })

  it('W13: options of a plugin merge at every depth, and may say otherwise', () => {
    const options = (value: ConfigValue): ConfigObject => ({plugins: {command: {x: {options: value}}}})
    const base = options({a: {b: 1, c: 2}, d: 1})
    assert.deepEqual(merged(base, options({a: {b: 3}, e: null})), options({a: {b: 3, c: 2}, d: 1, e: null}))
    assert.deepEqual(merged(base, options({value: {z: 1}, strategy: 'replace'})), options({z: 1}))
    assert.deepEqual(merged(base, options({value: {z: 1}, strategy: 'keep'})), base)
  })

  it('W13: a short spelling merges with the parts that it stands for', () => {
    const model = (id: ConfigValue): ConfigObject => ({assistant: {model: {id}}})
    assert.deepEqual(merged(model('a/b'), model({name: 'c'})), model({provider: 'a', name: 'c'}))
    assert.deepEqual(merged(model('a/b'), model('alias')), model('alias'))
    const enable = (value: ConfigValue): ConfigObject => ({conversation: {tools: {x: {enable: value}}}})
    assert.deepEqual(merged(enable('explicit'), enable(true)), enable({state: true, allow_toggle: 'any'}))
  })

  it('W13: null unsets what the layers below set', () => {
    assert.deepEqual(merged({user: {name: 'x'}, assistant: {name: 'y'}}, {user: {name: null}}), {
      user: {},
      assistant: {name: 'y'},
    })
  })

  it('facts 2.4: a difference merged over the one gives the other, for any two configurations', () => {
    fc.assert(
      fc.property(configurations, configurations, (before, after) => {
        const delta = difference(schema, before, after)
        const result = delta === undefined ? before : mergeLayers(schema, {below: before, above: delta})
        assert.deepEqual(withoutEmpty(result), withoutEmpty(after))
      }),
      fuzz(200),
    )
  })

  it('W13: layers merge without a crash whatever they hold', () => {
    const layer = fc
      .object({key: fc.constantFrom(...words), maxDepth: 6})
      .map((value) => JSON.parse(JSON.stringify(value)))
    fc.assert(
      fc.property(layer, layer, layer, (a: ConfigObject, b: ConfigObject, c: ConfigObject) => {
        const [x, y, z] = [a, b, c].map((each) => normalise(schema, each).value) as [
          ConfigObject,
          ConfigObject,
          ConfigObject,
        ]
        mergeLayers(schema, {below: mergeLayers(schema, {below: x, above: y}), above: z})
      }),
      fuzz(300),
    )
  })
})

const words = [...new Set(schemaRows().flatMap(({path}) => path.split('.'))), 'value', 'strategy', '__proto__', 'x']

/** Values that their keys take, by the types of the reference page. */
const valueFor = (type: string): fc.Arbitrary<ConfigValue> | undefined => {
  if (type === 'true or false') return fc.boolean()
  if (type === 'text') return fc.string()
  if (type === 'a list of text') return fc.array(fc.string(), {maxLength: 3})
  if (/^a whole number of at least [01]$/.test(type)) return fc.integer({min: 1, max: 1000})
  return undefined
}

const single = schemaRows().flatMap(({path, type}) => {
  const value = valueFor(type)
  return value === undefined ? [] : [value.map((given) => nested(path.replaceAll('<name>', 'n').split('.'), given))]
})

const configurations = fc.array(fc.oneof(...single), {maxLength: 8}).map((layers) => merged(...layers.filter(isTable)))

const withoutEmpty = (value: ConfigValue): ConfigValue =>
  isTable(value)
    ? Object.fromEntries(
        Object.entries(value)
          .map(([key, inner]): [string, ConfigValue] => [key, withoutEmpty(inner)])
          .filter(([, inner]) => !isTable(inner) || Object.keys(inner).length > 0),
      )
    : value
