import assert from 'node:assert/strict'
import fc from 'fast-check'
import {type Change, editText} from '../../../src/config/edit-text.js'
import {locateToml, tomlComments} from '../../../src/config/position-toml.js'
import {type Format, parseConfigText} from '../../../src/config/syntax.js'
import {type ConfigObject, type ConfigValue, isTable, sameValue, valueAt} from '../../../src/config/value.js'
import {fuzz} from '../../support/fuzz.js'

const edit = (format: Format, text: string, ...changes: Change[]): Promise<string> =>
  editText({path: `/x.${format}`, format, text}, changes)

const set = (path: string, value: ConfigValue | undefined): Change => ({path: path.split('.'), value})

describe('config/edit-text', () => {
  it('W15: a value changes in place; comments, order, blank lines and line ends stay', async () => {
    const text = '# top\r\na = 1 # one\r\n\r\n[t] # table\r\nb = "x"\r\n# end\r\n'
    assert.equal(await edit('toml', text, set('t.b', 'y')), text.replace('"x"', '"y"'))
    const yaml = '# top\na: 1 # one\n\n# table\nt:\n  b: x # two\n'
    assert.equal(await edit('yaml', yaml, set('t.b', 'y')), yaml.replace('b: x', 'b: y'))
    assert.equal(await edit('json', '{"a": 1}', set('a', 2)), '{\n  "a": 2\n}\n')
  })

  it('W15: a list of tables is added where the editor of TOML gives up, or the edit is refused; nothing is lost', async () => {
    const text = '# mine\na = 1\n\n[t]\nb = 2 # two\n'
    const edited = await edit(
      'toml',
      text,
      set('conversation.attachments', [
        {type: 'file', path: 'x'},
        {type: 'file', path: 'y'},
      ]),
    )
    for (const line of text.split('\n')) assert.ok(edited.includes(line), line)
    const {value} = await parseConfigText('/x.toml', 'toml', edited)
    assert.deepEqual(valueAt(value, ['conversation', 'attachments']), [
      {type: 'file', path: 'x'},
      {type: 'file', path: 'y'},
    ])
  })

  it('W15: what is about to be written is parsed again: an edit that would change more than was asked is refused', async () => {
    // The editor of YAML writes into the node that both names stand for, so that `other.k` would change along.
    const shared = 'base: &b\n  k: 1\nother: *b\n'
    await assert.rejects(edit('yaml', shared, set('base.k', 2)), {
      code: 'config_value_invalid',
      message: "/x.yaml can't be edited without losing something of it.",
      hint: 'Change it by hand:\n  base.k = 2',
    })
    assert.equal(await edit('yaml', shared, set('own.k', 2)), `${shared}own:\n  k: 2\n`)
  })

  it('W15: JSON5 with comments is refused, with the change to make by hand', async () => {
    await assert.rejects(edit('json5', '{a: 1 /* one */}', set('a', 2)), (error: Error & {hint?: string}) => {
      assert.equal(error.hint, 'Change it by hand:\n  a = 2')
      return true
    })
    assert.equal(await edit('json5', "{a: '//'}", set('a', 2)), '{\n  a: 2,\n}\n')
  })

  it('W15: any sequence of edits of any TOML gives exactly the values that it should, or is refused', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(change, {minLength: 1, maxLength: 6}), async (changes) => {
        let text =
          '# start\n\n[assistant] # who\nname = "x" # me\n\n[[list]]\na = 1\n[conversation.tools."*"]\nrun = "ask"\n'
        let wanted: ConfigObject = (await parseConfigText('/x.toml', 'toml', text)).value
        for (const step of changes) {
          const old = valueAt(wanted, step.path)
          const next = after(wanted, step)
          try {
            const edited = await edit('toml', text, step)
            if (step.value !== undefined && typeof old !== 'object') {
              assert.deepEqual(tomlComments(edited).sort(), tomlComments(text).sort())
            }
            text = edited
            wanted = next
          } catch (error) {
            assert.equal((error as {code?: string}).code, 'config_value_invalid')
          }
          const {value} = await parseConfigText('/x.toml', 'toml', text)
          assert.ok(sameValue(withoutEmpty(value), withoutEmpty(wanted)), `${text}\n!=\n${JSON.stringify(wanted)}`)
        }
      }),
      fuzz(40),
    )
  })
})

describe('config/position-toml', () => {
  it('W15: every key of a TOML text has its line, through tables, lists of tables, long values and quotes', () => {
    const text = [
      'top = """',
      'fake = 1',
      '[fake]',
      '"""',
      "  'a.b'.c = [",
      '  "]", # ]',
      '  { x = "}" },',
      ']',
      '[t."q.r"] # [no]',
      'k.l = 1',
      '[[items]]',
      'n = 1',
      '[[items]]',
      'n = 2',
      '[items.sub]',
      'm = 3',
    ].join('\r\n')
    const line = (...path: string[]): number | undefined => locateToml(text, path)?.line
    assert.deepEqual(
      [line('top'), line('a.b', 'c'), line('a.b', 'c', '1', 'x'), line('t', 'q.r'), line('t', 'q.r', 'k', 'l')],
      [1, 5, 5, 9, 10],
    )
    assert.deepEqual([line('items', '0', 'n'), line('items', '1', 'n'), line('items', '1', 'sub', 'm')], [12, 14, 16])
    assert.deepEqual([line('fake'), line('nothing'), locateToml(text, ['a.b'])?.column], [undefined, undefined, 3])
  })
})

const keys = ['assistant', 'name', 'list', 'conversation', 'tools', '*', 'run', 'a b', 'x']
const scalar: fc.Arbitrary<ConfigValue> = fc.oneof(fc.string(), fc.boolean(), fc.integer({min: -9, max: 9}))
const change: fc.Arbitrary<Change> = fc.record({
  path: fc.array(fc.constantFrom(...keys), {minLength: 1, maxLength: 3}),
  value: fc.oneof(
    scalar,
    fc.array(scalar, {maxLength: 3}),
    fc.dictionary(fc.constantFrom(...keys), scalar, {maxKeys: 2}),
    fc.constant<ConfigValue | undefined>(undefined),
  ),
})

const after = (table: ConfigObject, {path, value}: Change): ConfigObject => {
  const [key = '', ...rest] = path
  const copy = {...table}
  const inner = copy[key]
  if (rest.length > 0) {
    if (value === undefined && !isTable(inner)) return copy
    copy[key] = after(isTable(inner) ? inner : {}, {path: rest, value})
  } else if (value === undefined) delete copy[key]
  else copy[key] = value
  return copy
}

const withoutEmpty = (value: ConfigValue): ConfigValue =>
  isTable(value)
    ? Object.fromEntries(
        Object.entries(value)
          .map(([key, inner]): [string, ConfigValue] => [key, withoutEmpty(inner)])
          .filter(([, inner]) => !isTable(inner) || Object.keys(inner).length > 0),
      )
    : value
