/** What a provider speaks; each has one file that is imported only when it is used. */
export type Wire = 'echo' | 'anthropic' | 'openai' | 'google' | 'compatible'

/** A provider that jp knows by name (W24). */
export type KnownProvider = {
  /** How users write it. */
  readonly title: string
  readonly wire: Wire
  readonly baseUrl: string
  /** Where a key is looked for, first match wins. Empty: none is needed. */
  readonly keyVariables: readonly string[]
  /** The variable that overrides the base URL, as users of the provider already set it. */
  readonly baseUrlVariable?: string
  /** The model that is offered to a newcomer who has a key. */
  readonly suggestedModel?: string
  /** What to do when nobody listens at the base URL. */
  readonly startHint?: string
}

/** The providers by the name that stands before the slash of a model id. */
export const knownProviders: Readonly<Record<string, KnownProvider>> = {
  anthropic: {
    title: 'Anthropic',
    wire: 'anthropic',
    baseUrl: 'https://api.anthropic.com',
    keyVariables: ['ANTHROPIC_API_KEY'],
    suggestedModel: 'claude-sonnet-5',
    baseUrlVariable: 'ANTHROPIC_BASE_URL',
  },
  openai: {
    title: 'OpenAI',
    wire: 'openai',
    baseUrl: 'https://api.openai.com',
    keyVariables: ['OPENAI_API_KEY'],
    suggestedModel: 'gpt-5.2',
    baseUrlVariable: 'OPENAI_BASE_URL',
  },
  google: {
    title: 'Google',
    wire: 'google',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    keyVariables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
    suggestedModel: 'gemini-3.1-pro-preview',
  },
  openrouter: {
    title: 'OpenRouter',
    wire: 'compatible',
    baseUrl: 'https://openrouter.ai/api',
    keyVariables: ['OPENROUTER_API_KEY'],
    suggestedModel: 'openrouter/auto',
  },
  deepseek: {
    title: 'DeepSeek',
    wire: 'compatible',
    baseUrl: 'https://api.deepseek.com',
    keyVariables: ['DEEPSEEK_API_KEY'],
    suggestedModel: 'deepseek-chat',
  },
  cerebras: {
    title: 'Cerebras',
    wire: 'compatible',
    baseUrl: 'https://api.cerebras.ai',
    keyVariables: ['CEREBRAS_API_KEY'],
    suggestedModel: 'gpt-oss-120b',
  },
  xai: {
    title: 'xAI',
    wire: 'compatible',
    baseUrl: 'https://api.x.ai',
    keyVariables: ['XAI_API_KEY'],
    suggestedModel: 'grok-4',
  },
  ollama: {
    title: 'Ollama',
    wire: 'compatible',
    baseUrl: 'http://localhost:11434',
    keyVariables: [],
    startHint: 'Start it: ollama serve',
  },
  llamacpp: {
    title: 'llama.cpp',
    wire: 'compatible',
    baseUrl: 'http://127.0.0.1:8080',
    keyVariables: [],
    startHint: 'Start it: llama-server -m <model.gguf>',
  },
  echo: {title: 'Echo', wire: 'echo', baseUrl: '', keyVariables: []},
}

/** The command that names a server of one's own. */
export const otherServerCommand = (provider: string): string =>
  `jp config set 'providers.llm.${provider}:={"type":"openai-compatible","base_url":"https://…"}'`
