import assert from 'node:assert/strict'
import {connectionOf} from '../../../src/providers/connection.js'
import type {ProviderEntry} from '../../../src/providers/provider-settings.js'
import {providerDeps} from '../../support/model-call.js'

const keys = {OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k', GOOGLE_API_KEY: 'k', OPENROUTER_API_KEY: 'k'}
const connect = (provider: string, entry: ProviderEntry = {}, env: Record<string, string> = {}) =>
  connectionOf({provider, name: 'x'}, entry, providerDeps({...keys, ...env}))

describe('connections', () => {
  const rows: readonly [string, ProviderEntry, Record<string, string>, string, string][] = [
    ['openai', {}, {}, 'https://api.openai.com/v1', 'openai responses'],
    ['openai', {api: 'chat'}, {}, 'https://api.openai.com/v1', 'openai chat'],
    ['openai', {base_url: 'https://api.openai.com/v1/'}, {}, 'https://api.openai.com/v1', 'openai responses'],
    ['openai', {base_url: 'http://h:1'}, {}, 'http://h:1/v1', 'compatible chat'],
    ['openai', {base_url: 'http://h:1', api: 'responses'}, {}, 'http://h:1/v1', 'openai responses'],
    ['openai', {base_url: 'http://h:1'}, {OPENAI_BASE_URL: 'http://env/x/v1'}, 'http://env/x/v1', 'compatible chat'],
    ['openai', {base_url_env: 'MINE'}, {MINE: 'http://mine'}, 'http://mine/v1', 'compatible chat'],
    ['anthropic', {}, {}, 'https://api.anthropic.com/v1', 'anthropic chat'],
    ['google', {}, {}, 'https://generativelanguage.googleapis.com/v1beta', 'google chat'],
    ['google', {base_url: 'http://h'}, {}, 'http://h/v1beta', 'google chat'],
    ['openrouter', {base_url: 'https://openrouter.ai'}, {}, 'https://openrouter.ai/api/v1', 'compatible chat'],
    ['openrouter', {}, {}, 'https://openrouter.ai/api/v1', 'compatible chat'],
    ['ollama', {}, {}, 'http://localhost:11434/v1', 'compatible chat'],
    [
      'lab',
      {type: 'openai-compatible', base_url: 'http://h/api/paas/v4/'},
      {},
      'http://h/api/paas/v4',
      'compatible chat',
    ],
    [
      'lab',
      {type: 'openai-compatible', base_url: 'http://h/v1beta/openai'},
      {},
      'http://h/v1beta/openai',
      'compatible chat',
    ],
    ['lab', {type: 'openai-compatible', base_url: 'http://h', api: 'responses'}, {}, 'http://h/v1', 'openai responses'],
  ]
  for (const [provider, entry, env, baseUrl, wire] of rows) {
    it(`W24: ${provider} ${JSON.stringify({...entry, ...env})} is ${baseUrl} by ${wire}`, () => {
      const connection = connect(provider, entry, env)
      assert.equal(connection.baseUrl, baseUrl)
      assert.equal(`${connection.wire} ${connection.api}`, wire)
    })
  }

  it('W24: Google takes either of the variables that its users set, GEMINI_API_KEY first', () => {
    assert.deepEqual(connect('google').key, {variable: 'GOOGLE_API_KEY', value: 'k'})
    assert.deepEqual(connect('google', {}, {GEMINI_API_KEY: 'g'}).key, {variable: 'GEMINI_API_KEY', value: 'g'})
    assert.equal(connect('google', {api_key_env: 'GEMINI_API_KEY'}).key?.variable, 'GOOGLE_API_KEY')
    assert.throws(() => connect('google', {api_key_env: 'MINE'}), {message: /MINE is not set/})
    assert.throws(() => connectionOf({provider: 'google', name: 'x'}, {}, providerDeps()), {
      code: 'provider_key_missing',
      message: 'There is no key for Google: GEMINI_API_KEY or GOOGLE_API_KEY is not set.',
      hint: 'export GEMINI_API_KEY=…',
    })
  })

  const wrong: readonly [string, ProviderEntry, string, string][] = [
    ['lab', {}, 'provider_unknown', 'There is no provider "lab".'],
    ['lab', {type: 'openai-compatible'}, 'config_invalid', 'providers.llm.lab has no base_url.'],
    ['openai', {base_url: 'h:1'}, 'config_invalid', 'providers.llm.openai.base_url is no http or https URL: "h:1".'],
    [
      'openai',
      {base_url: 'file:///x'},
      'config_invalid',
      'providers.llm.openai.base_url is no http or https URL: "file:///x".',
    ],
    [
      'openai',
      {base_url: 'http://u:p@h'},
      'config_invalid',
      'providers.llm.openai.base_url holds a user name or password.',
    ],
  ]
  for (const [provider, entry, code, message] of wrong) {
    it(`W24, Q4: ${provider} ${JSON.stringify(entry)} is ${code}`, () => {
      assert.throws(() => connect(provider, entry), {code, message})
    })
  }
})
