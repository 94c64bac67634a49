import assert from 'node:assert/strict'
import fc from 'fast-check'
import {guardLayer} from '../../../src/config/guard.js'
import {guards} from '../../../src/config/guard-table.js'
import {normalise} from '../../../src/config/normalise.js'
import {schema} from '../../../src/config/schema-outline.js'
import {schemaRows} from '../../../src/config/schema-rows.js'
import {fieldAt, knownKeys} from '../../../src/config/tree.js'
import {type ConfigObject, valueAt} from '../../../src/config/value.js'
import {fuzz} from '../../support/fuzz.js'

const keysAt = (...path: string[]): string[] => {
  const field = fieldAt(schema, path)
  return field === undefined ? [] : knownKeys(field)
}

const guardedAt = (...path: string[]): Set<string> =>
  new Set(
    guards
      .filter(({pattern}) => path.every((key, index) => pattern[index] === key))
      .map(({pattern}) => pattern[path.length] ?? ''),
  )

const kept = (layer: ConfigObject, below: ConfigObject = {}): ConfigObject =>
  guardLayer(normalise(schema, layer).value, normalise(schema, below).value, () => false).kept

describe('config/guard', () => {
  it('W30: every key of a tool, a provider, a plugin and a label is guarded or known to be harmless', () => {
    const harmless = {
      tool: ['summary', 'description', 'examples', 'cancellation_response', 'timeout_secs'],
      provider: ['api', 'chain_on_max_tokens', 'beta_headers', 'app_name', 'app_referrer'],
      plugin: ['install'],
      label: ['apply_on'],
      style: ['hidden', 'inline_results', 'results_file_link', 'error'],
    }
    const compare = (keys: readonly string[], guarded: ReadonlySet<string>, safe: readonly string[]): void =>
      assert.deepEqual([...keys].sort(), [...new Set([...guarded, ...safe])].sort())
    const tools = ['conversation', 'tools', '*'] as const
    compare(keysAt(...tools), guardedAt(...tools), harmless.tool)
    compare(keysAt(...tools, 'style'), guardedAt(...tools, 'style'), harmless.style)
    compare(keysAt('providers', 'llm', '*'), guardedAt('providers', 'llm', '*'), harmless.provider)
    compare(keysAt('plugins', 'command', '*'), guardedAt('plugins', 'command', '*'), harmless.plugin)
    compare(keysAt('conversation', 'labels', '*'), guardedAt('conversation', 'labels', '*'), harmless.label)
    compare(keysAt('serve'), guardedAt('serve'), [])
  })

  it('W30: a pattern of the table stands where the schema has a key', () => {
    for (const {pattern} of guards) {
      const path = pattern.at(-1) === '#' ? pattern.slice(0, -1) : pattern
      assert.notEqual(fieldAt(schema, path), undefined, path.join('.'))
    }
  })

  it('W30: files inside the checkout may be attached; anything else that is named is guarded', () => {
    const of = (...attachments: ConfigObject[string][]): unknown =>
      valueAt(kept({conversation: {attachments}}), ['conversation', 'attachments'])
    assert.deepEqual(of('docs/a.md', 'file:b.md', 'file:///c/d.md', {type: 'file', path: 'e.md'}), [
      'docs/a.md',
      'file:b.md',
      'file:///c/d.md',
      {type: 'file', path: 'e.md'},
    ])
    const guarded = [
      'cmd://date',
      'CMD:date',
      'https://example.invalid',
      'jp://jp-c1',
      'mcp+x://y',
      '../up.md',
      'a/../../b',
      '/etc/passwd',
      '~/.ssh/id_rsa',
      'file:../up.md',
      'file:%2e%2e/up',
      {type: 'cmd', path: 'date'},
      {type: 'file', path: '/etc/passwd'},
    ]
    for (const attachment of guarded) assert.equal(of(attachment), undefined, JSON.stringify(attachment))
    assert.deepEqual(of('ok.md', 'cmd://x'), ['ok.md'])
  })

  it('W30: a list that says how it merges hides no item from the guard', () => {
    const value = ['cmd://x', 'ok.md']
    assert.deepEqual(kept({conversation: {attachments: {value, strategy: 'replace'}}}), {
      conversation: {attachments: {value: ['ok.md'], strategy: 'replace'}},
    })
    assert.deepEqual(kept({plugins: {command: {x: {options: {value: {a: 1}, strategy: 'replace'}}}}}), {})
    assert.deepEqual(kept({editor: {envs: {value: ['A'], strategy: 'prepend'}}}), {})
  })

  it('W30: a policy is judged by what it replaces: the tool’s own, else that of *, else the built-in one', () => {
    const tools = (value: ConfigObject): ConfigObject => ({conversation: {tools: value}})
    const run = (layer: string, below: ConfigObject): unknown =>
      valueAt(kept(tools({x: {run: layer}}), tools(below)), ['conversation', 'tools', 'x', 'run'])
    assert.equal(run('ask', {}), 'ask')
    assert.equal(run('unattended', {}), undefined)
    assert.equal(run('ask', {x: {run: 'deny'}}), undefined)
    assert.equal(run('ask', {'*': {run: 'deny'}}), undefined)
    assert.equal(run('ask', {'*': {run: 'deny'}, x: {run: 'ask'}}), 'ask')
    assert.equal(run('skip', {x: {run: 'unattended'}}), 'deny')
    assert.equal(run('unattended', {x: {run: 'unattended'}}), 'unattended')
  })

  it('W30: a first pin of a plugin or an MCP server takes effect, another one over the user’s does not', () => {
    const pin = (value: string): ConfigObject => ({algorithm: 'sha256', value})
    const mcp = (server: ConfigObject): ConfigObject => ({providers: {mcp: {s: server}}})
    assert.deepEqual(kept(mcp({checksum: pin('a')}), mcp({command: 'x'})), mcp({checksum: pin('a')}))
    assert.deepEqual(kept(mcp({checksum: pin('a'), command: 'y'}), mcp({command: 'x'})), mcp({checksum: pin('a')}))
    assert.deepEqual(kept(mcp({checksum: pin('a')}), mcp({command: 'x', checksum: pin('b')})), {})
    const plugin = (value: string): ConfigObject => ({plugins: {command: {p: {checksum: pin(value)}}}})
    assert.deepEqual(kept(plugin('a')), plugin('a'))
    assert.deepEqual(kept(plugin('a'), plugin('b')), {})
  })

  it('W30: whatever a layer holds, nothing is in what is kept that the guard would leave out of it', () => {
    fc.assert(
      fc.property(layers, layers, (layer, below) => {
        const [value, under] = [layer, below].map((each) => normalise(schema, each).value)
        const first = guardLayer(value ?? {}, under ?? {}, () => false)
        const second = guardLayer(first.kept, under ?? {}, () => false)
        assert.deepEqual(second, {kept: first.kept, leftOut: [], never: []})
      }),
      fuzz(300),
    )
  })
})

const words = [...new Set(schemaRows().flatMap(({path}) => path.split('.'))), '*', 'x']
const leaf: fc.Arbitrary<ConfigObject[string]> = fc.oneof(
  fc.constantFrom('ask', 'deny', 'allow', 'unattended', 'cmd://x', 'a.md', true, false, null, 3),
  fc.constant(null).map(() => ['cmd://x', 'a.md']),
)
/** Layers along the patterns of the table, with something random beside. */
const layers: fc.Arbitrary<ConfigObject> = fc
  .array(
    fc.tuple(
      fc.oneof(
        fc.constantFrom(...guards.map(({pattern}) => pattern)),
        fc.array(fc.constantFrom(...words), {maxLength: 4}),
      ),
      leaf,
      fc.constantFrom('x', 'y', '*'),
    ),
    {maxLength: 6},
  )
  .map((entries) => {
    const layer: ConfigObject = {}
    for (const [pattern, value, name] of entries)
      put(
        layer,
        pattern.map((key) => (key === '*' ? name : key)),
        value,
      )
    return layer
  })

const put = (table: ConfigObject, path: readonly string[], value: ConfigObject[string]): void => {
  const [key = 'x', ...rest] = path.filter((part) => part !== '#')
  if (rest.length === 0) table[key] = value
  else {
    const inner = table[key]
    const next: ConfigObject = typeof inner === 'object' && inner !== null && !Array.isArray(inner) ? inner : {}
    table[key] = next
    put(next, rest, value)
  }
}
