import assert from 'node:assert/strict'
import {hasCode, type JpError} from '../../../src/errors/jp-error.js'
import type {PluginName} from '../../../src/platform/id-grammar.js'
import type {BuiltIns} from '../../../src/plugin/builtins.js'
import {unreachableClaim} from '../../../src/plugin/builtins.js'
import type {Plugin, PluginFacts} from '../../../src/plugin/plugin.js'
import {routeToPlugin} from '../../../src/plugin/routing.js'

const plugin = (name: string, facts: PluginFacts, path = `/bin/jp-${name}`): Plugin => ({
  name: name as PluginName,
  origin: {kind: 'executable', path},
  facts,
})
const claiming = (name: string, claim: string, path?: string): Plugin =>
  plugin(
    name,
    {state: 'valid', manifest: {protocol: 1, description: 'd', command: claim.split(' '), scope: 'single'}},
    path,
  )

const taken = new Set([
  'query',
  'workspace',
  'workspace ls',
  'serve',
  'conversation',
  'conversation ls',
  'plugins',
  'plugins list',
])
const builtIns: BuiltIns = {isTaken: (words) => taken.has(words.join(' '))}
const route = (words: string, ...plugins: Plugin[]) => {
  const found = routeToPlugin(words === '' ? [] : words.split(' '), plugins, builtIns)
  return found === undefined ? undefined : {name: found.plugin.name, claim: found.claim, args: found.args}
}
const clashOf = (words: string, ...plugins: Plugin[]): JpError => {
  try {
    route(words, ...plugins)
  } catch (error) {
    if (hasCode(error, 'plugin_clash')) return error
    throw error
  }
  return assert.fail('no clash')
}

describe('routing', () => {
  it('P6: the longest claim wins, and what follows it is untouched', () => {
    const plugins = [claiming('n', 'notes'), claiming('nl', 'notes list')]
    assert.deepEqual(route('notes list --x -- -y', ...plugins), {
      name: 'nl',
      claim: ['notes', 'list'],
      args: ['--x', '--', '-y'],
    })
    assert.deepEqual(route('notes add list', ...plugins), {name: 'n', claim: ['notes'], args: ['add', 'list']})
    assert.equal(route('note', ...plugins), undefined)
    assert.equal(route('notes', claiming('nl', 'notes list')), undefined)
  })

  it('P6: an unknown child of an extensible group can be a plugin', () => {
    assert.deepEqual(route('serve web --port 1', claiming('w', 'serve web')), {
      name: 'w',
      claim: ['serve', 'web'],
      args: ['--port', '1'],
    })
    assert.deepEqual(route('workspace tree', claiming('t', 'workspace tree'))?.claim, ['workspace', 'tree'])
  })

  it('P6, FR-39: built-ins win: a claim on or below one is never reached', () => {
    for (const claim of ['query', 'query deep', 'plugins extra', 'workspace ls', 'workspace ls more', 'serve']) {
      assert.equal(route(claim, claiming('x', claim)), undefined, claim)
      assert.match(unreachableClaim(claim.split(' '), builtIns) ?? '', /is a built-in command/)
    }
  })

  it('P6: two claimants of one path are an error that names both', () => {
    const error = clashOf('notes', claiming('a', 'notes'), claiming('b', 'notes'))
    assert.equal(error.message, '"jp notes" is claimed by two plugins: /bin/jp-a and /bin/jp-b.')
  })

  it('P6: a clash of shorter claims does not matter to a longer one', () => {
    const plugins = [claiming('a', 'notes'), claiming('b', 'notes'), claiming('c', 'notes list')]
    assert.equal(route('notes list', ...plugins)?.name, 'c')
  })

  it('P6, FR-38: two plugins with one name are an error, whatever they claim', () => {
    const error = clashOf('notes', claiming('a', 'notes', '/one/jp-a'), claiming('a', 'other', '/two/jp-a'))
    assert.equal(error.message, 'Two plugins are named "a": /one/jp-a and /two/jp-a.')
    assert.equal(route('free', claiming('f', 'free'), claiming('a', 'x', '/1'), claiming('a', 'y', '/2'))?.name, 'f')
  })

  it('S4: a file without a manifest is found by the words of its name', () => {
    const silent = plugin('serve-web', {state: 'absent'})
    assert.deepEqual(route('serve web a', silent), {name: 'serve-web', claim: ['serve', 'web'], args: ['a']})
    assert.deepEqual(route('serve-web a', silent), {name: 'serve-web', claim: ['serve-web'], args: ['a']})
    assert.equal(route('serve we', silent), undefined)
  })

  it('P6: a stated claim counts before one that is guessed from a name', () => {
    assert.equal(route('notes', plugin('notes', {state: 'absent'}), claiming('n', 'notes'))?.name, 'n')
  })

  it('P2: an invalid manifest is found by what can be read of its claim, so that its error can be told', () => {
    const broken = plugin('x', {state: 'invalid', reason: 'r', claim: ['notes']})
    assert.equal(route('notes', broken)?.name, 'x')
  })
})
