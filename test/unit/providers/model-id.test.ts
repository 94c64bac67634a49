import assert from 'node:assert/strict'
import {type ModelNames, resolveModelId} from '../../../src/providers/model-id.js'

const names: ModelNames = {
  aliases: {
    fast: 'openai/gpt-5-mini',
    best: {provider: 'anthropic', name: 'claude-opus-4-1'},
    default: 'fast',
    here: 'there',
    there: 'here',
  },
  providers: {lab: {type: 'openai-compatible', base_url: 'http://lab.example'}},
}

describe('model ids', () => {
  const resolved: readonly [string, string, string][] = [
    ['anthropic/claude-opus-4-1', 'anthropic', 'claude-opus-4-1'],
    ['openrouter/meta-llama/llama-3.3', 'openrouter', 'meta-llama/llama-3.3'],
    ['ollama/hf.co/x/y:Q4', 'ollama', 'hf.co/x/y:Q4'],
    ['lab/anything', 'lab', 'anything'],
    ['fast', 'openai', 'gpt-5-mini'],
    ['best', 'anthropic', 'claude-opus-4-1'],
    ['default', 'openai', 'gpt-5-mini'],
    ['echo/echo', 'echo', 'echo'],
  ]
  for (const [text, provider, name] of resolved) {
    it(`W24: ${text} is ${name} of ${provider}`, () => {
      assert.deepEqual(resolveModelId(text, names), {provider, name})
    })
  }

  const refused: readonly [string, string, string, RegExp][] = [
    ['fsat', 'model_unknown', '"fsat" is neither an alias nor a model id.', /^Did you mean fast\?$/],
    ['olama', 'model_unknown', '"olama" is neither an alias nor a model id.', /^Did you mean ollama\/<model>\?$/],
    ['gpt', 'model_unknown', '"gpt" is neither an alias nor a model id.', /^A model id is written provider\/name/],
    ['echo/', 'model_unknown', '"echo/" is neither an alias nor a model id.', /^A model id is written/],
    ['toString', 'model_unknown', '"toString" is neither an alias nor a model id.', /^A model id is written/],
    [
      'antropic/claude',
      'provider_unknown',
      'There is no provider "antropic" (model antropic/claude).',
      /^Did you mean anthropic\/claude\?$/,
    ],
    [
      'nowhere-near/x',
      'provider_unknown',
      'There is no provider "nowhere-near" (model nowhere-near/x).',
      /^Known providers: .*llamacpp.*lab\. .*"type":"openai-compatible"/,
    ],
    ['here', 'model_unknown', 'The model alias here → there → here leads to itself.', /^Give it a model/],
  ]
  for (const [text, code, message, hint] of refused) {
    it(`Q4: ${text} is refused with ${code} and the nearest`, () => {
      assert.throws(() => resolveModelId(text, names), {code, message, hint})
    })
  }
})
