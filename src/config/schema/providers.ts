import * as z from 'zod'
import {refinements} from '../refinements.js'
import {modelId} from './assistant.js'
import {policy, whole} from './fields.js'
import {ruled} from './rules.js'

const providerFields = {
  type: z.literal('openai-compatible').optional().describe('Makes a provider of your own: the wire it speaks.'),
  api_key_env: z.string().optional().describe('The environment variable that holds the key.'),
  base_url: z.string().optional().describe('Where it is, with or without `/v1`.'),
  base_url_env: z.string().optional().describe('The environment variable that overrides `base_url`.'),
  api: z
    .enum(['responses', 'chat'])
    .optional()
    .describe('Which API: `responses` for OpenAI itself, `chat` once a `base_url` is set.'),
  chain_on_max_tokens: z
    .boolean()
    .optional()
    .describe('Go on when an answer was cut at its longest, unless `max_tokens` says how long it may be.'),
  beta_headers: z.array(z.string()).optional().describe('Beta features to ask for.'),
  app_name: z.string().optional().describe('The name that OpenRouter shows.'),
  app_referrer: z.string().optional().describe('The address that OpenRouter shows.'),
  script: z.string().optional().describe('For `echo`: a file of steps to play.'),
}

/** One provider of models. */
export const provider = z.strictObject(providerFields).describe('A provider of your own.')

/** The built-in providers with what they start from. */
const builtIn = (defaults: z.input<typeof provider>, about: string) => provider.prefault(defaults).describe(about)

const llm = z
  .strictObject({
    aliases: z.record(z.string(), modelId()).default({}).describe('Short names for models.'),
    anthropic: builtIn(
      {api_key_env: 'ANTHROPIC_API_KEY', base_url: 'https://api.anthropic.com', chain_on_max_tokens: true},
      'Anthropic.',
    ),
    openai: builtIn(
      {api_key_env: 'OPENAI_API_KEY', base_url: 'https://api.openai.com', base_url_env: 'OPENAI_BASE_URL'},
      'OpenAI.',
    ),
    google: builtIn(
      {api_key_env: 'GEMINI_API_KEY', base_url: 'https://generativelanguage.googleapis.com/v1beta'},
      'Google.',
    ),
    openrouter: builtIn(
      {api_key_env: 'OPENROUTER_API_KEY', base_url: 'https://openrouter.ai', app_name: 'JP'},
      'OpenRouter.',
    ),
    deepseek: builtIn({api_key_env: 'DEEPSEEK_API_KEY', base_url: 'https://api.deepseek.com'}, 'DeepSeek.'),
    cerebras: builtIn({api_key_env: 'CEREBRAS_API_KEY', base_url: 'https://api.cerebras.ai'}, 'Cerebras.'),
    ollama: builtIn({base_url: 'http://localhost:11434'}, 'Ollama, on this machine.'),
    llamacpp: builtIn({base_url: 'http://127.0.0.1:8080'}, 'llama.cpp, on this machine.'),
    echo: builtIn({}, 'The built-in provider for tests and trials: it says what you said.'),
  })
  .catchall(provider)
  .prefault({})
  .describe('Providers of models. Any other name is a provider of your own.')

const checksum = () =>
  z.strictObject({
    algorithm: z.enum(['sha256', 'sha1']).optional().describe('`sha256` when absent.'),
    value: z.string().describe('The sum, in hex digits.'),
  })

/** One MCP server. */
const mcpServer = ruled(
  z
    .strictObject({
      type: z.enum(['stdio', 'http']).default('stdio').describe('`stdio` starts a program; `http` connects.'),
      command: z.string().optional().describe('The program of a `stdio` server.'),
      arguments: z.array(z.string()).default([]).describe('Its arguments.'),
      variables: z.array(z.string()).default([]).describe('Names of environment variables that it gets.'),
      url: z.string().optional().describe('The address of an `http` server.'),
      bearer_token_env: z.string().optional().describe('The environment variable with the token of an `http` server.'),
      checksum: checksum().optional().describe('The sum that the program must have.'),
      optional: z.boolean().default(false).describe('When it does not start, warn and go on.'),
      startup_timeout_secs: whole(1).default(60).describe('How long it may take to start. Unit: seconds.'),
    })
    .refine(refinements.mcpServer.holds, {error: refinements.mcpServer.error}),
  {refine: 'mcpServer'},
)

/** Providers of models and of tools. */
export const providers = z
  .strictObject({
    llm,
    mcp: z.record(z.string(), mcpServer).default({}).describe('MCP servers, by name.'),
  })
  .prefault({})
  .describe('Providers of models and of tools.')

const plugin = z.strictObject({
  run: policy({words: ['ask', 'allow', 'deny'], old: 'unattended', expand: 'pluginPolicy'})
    .optional()
    .describe('Whether it may run; `ask` when absent. `allow` never counts from a checkout.'),
  checksum: ruled(checksum(), {
    shorthand: z.string(),
    expand: 'checksum',
  })
    .optional()
    .describe('The sum that its file must have.'),
  options: ruled(z.record(z.string(), z.unknown()), {deep: true})
    .optional()
    .describe('Handed to the plugin as they are.'),
  install: z.unknown().optional().describe('Of older versions: has no effect.'),
})

/** Plugins: what may run, and how. */
export const plugins = z
  .strictObject({
    command: z.record(z.string(), plugin).default({}).describe('Command plugins, by the name of their file.'),
    shutdown_timeout_secs: whole().default(5).describe('How long a plugin may take to end. Unit: seconds.'),
    auto_install: z.boolean().optional().describe('Of older versions: has no effect.'),
  })
  .prefault({})
  .describe('Plugins: what may run, and how.')
