import assert from 'node:assert/strict'
import {execFileSync} from 'node:child_process'
import {join} from 'node:path'
import {repository} from '../../support/jp.js'

/** The provider packages that a process has loaded once it has opened this model. */
const loadedFor = (provider: string): string[] => {
  const script = `
    import {registerHooks} from 'node:module'
    const seen = new Set()
    registerHooks({load: (url, context, next) => {
      const found = /node_modules\\/(@ai-sdk\\/[a-z-]+)\\//.exec(url)
      if (found) seen.add(found[1])
      return next(url, context)
    }})
    const {openModel} = await import('${join(repository, 'src/providers/open-model.ts')}')
    const env = {OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k', GEMINI_API_KEY: 'k', OPENROUTER_API_KEY: 'k'}
    const environment = {env, cwd: '/', homeDir: '/', platform: process.platform, pid: process.pid}
    await openModel({provider: '${provider}', name: 'x'}, {providers: {}}, {environment, configCwd: '/'})
    console.log(JSON.stringify([...seen].filter((name) => !/provider(-utils)?$/.test(name)).sort()))
  `
  const hooks = join(repository, 'test/support/typescript-imports.mjs')
  const out = execFileSync(process.execPath, ['--import', hooks, '--input-type=module', '-e', script], {
    encoding: 'utf8',
  })
  return JSON.parse(out) as string[]
}

describe('provider packages', () => {
  for (const [provider, packages] of [
    ['echo', []],
    ['anthropic', ['@ai-sdk/anthropic']],
    ['openai', ['@ai-sdk/openai']],
    ['google', ['@ai-sdk/google']],
    ['openrouter', ['@ai-sdk/openai-compatible']],
  ] as const) {
    it(`W24, Q18: ${provider} loads ${packages.join(', ') || 'none'}`, () => {
      assert.deepEqual(loadedFor(provider), packages)
    })
  }
})
