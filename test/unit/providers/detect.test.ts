import assert from 'node:assert/strict'
import {createServer} from 'node:http'
import type {AddressInfo} from 'node:net'
import {findProviders, listModels} from '../../../src/providers/detect.js'
import {tryModel} from '../../../src/providers/try-model.js'
import {providerDeps} from '../../support/model-call.js'
import {startModelServer} from '../../support/model-server.js'

/** A server that lists models, with the requests that it saw. */
const startList = async (body: unknown) => {
  const seen: {url: string | undefined; headers: Record<string, unknown>}[] = []
  const server = createServer((request, response) => {
    seen.push({url: request.url, headers: {...request.headers}})
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen, close: () => server.close()}
}

describe('finding providers', () => {
  it('Q5: keys in the environment first, then servers of this machine that answer', async () => {
    const ollama = await startList({data: [{id: 'llama3.2'}, {id: 'qwen3'}]})
    const gone = await startList({})
    gone.close()
    const entries = {ollama: {base_url: ollama.url}, llamacpp: {base_url: gone.url}}
    const found = await findProviders(entries, providerDeps({GOOGLE_API_KEY: 'g', ANTHROPIC_API_KEY: 'a'}))
    ollama.close()
    assert.deepEqual(found, [
      {provider: 'anthropic', title: 'Anthropic', reason: {variable: 'ANTHROPIC_API_KEY'}},
      {provider: 'google', title: 'Google', reason: {variable: 'GOOGLE_API_KEY'}},
      {provider: 'ollama', title: 'Ollama', reason: {url: `${ollama.url}/v1`}},
    ])
  })

  it('Q5: lists the models of each wire, with the key where the wire wants it', async () => {
    const open = await startList({data: [{id: 'b'}, {id: 'a'}, {}]})
    const google = await startList({models: [{name: 'models/gemini-2.5-pro'}]})
    const deps = providerDeps({ANTHROPIC_API_KEY: 'a-key', OPENAI_API_KEY: 'o-key', GEMINI_API_KEY: 'g-key'})
    assert.deepEqual(await listModels('anthropic', {base_url: open.url}, deps), ['b', 'a'])
    assert.deepEqual(await listModels('openai', {base_url: open.url}, deps), ['b', 'a'])
    assert.deepEqual(await listModels('google', {base_url: google.url}, deps), ['gemini-2.5-pro'])
    assert.deepEqual(await listModels('openrouter', {base_url: open.url}, deps), [])
    open.close()
    google.close()
    assert.deepEqual(
      [...open.seen, ...google.seen].map(({url, headers}) => [
        url,
        headers['x-api-key'] ?? headers['x-goog-api-key'] ?? headers['authorization'],
      ]),
      [
        ['/v1/models?limit=1000', 'a-key'],
        ['/v1/models', 'Bearer o-key'],
        ['/v1beta/models?pageSize=1000', 'g-key'],
      ],
    )
  })

  it('Q5: one test call answers, or says what is wrong, and is not made twice', async () => {
    const server = await startModelServer()
    const id = {provider: 'ollama', name: 'x'}
    const settings = {providers: {ollama: {base_url: server.url}}}
    const deps = {...providerDeps(), signal: new AbortController().signal}
    server.plays({says: {text: ['rea', 'dy']}})
    assert.equal(await tryModel(id, settings, deps), 'ready')
    server.plays({status: 503, body: {error: {message: 'loading'}}})
    await assert.rejects(tryModel(id, settings, deps), {code: 'provider_failed'})
    assert.equal(server.seen.length, 2)
    await server.close()
  })
})
