import type {HostEnvironment} from '../platform/host-environment.js'

/** One `providers.llm.<name>` table, in the spelling of the configuration. */
export type ProviderEntry = {
  /** `openai-compatible` for a provider that jp does not know by name (W24). */
  readonly type?: string | undefined
  /** With or without a trailing `/v1`. */
  readonly base_url?: string | undefined
  /** The variable that overrides `base_url`. */
  readonly base_url_env?: string | undefined
  /** The variable that holds the key. */
  readonly api_key_env?: string | undefined
  /** The wire of an OpenAI endpoint: `responses` by default for OpenAI's own URL, `chat` once a `base_url` is set. */
  readonly api?: 'responses' | 'chat' | undefined
  /** `echo` only: a file of steps to play (W25). */
  readonly script?: string | undefined
  /** `openrouter` only: how jp names itself. */
  readonly app_name?: string | undefined
  readonly app_referrer?: string | undefined
  /** `anthropic` only: values of the `anthropic-beta` header. */
  readonly beta_headers?: readonly string[] | undefined
  /** Go on when an answer was cut at the provider's longest; not when the user gave `max_tokens`. */
  readonly chain_on_max_tokens?: boolean | undefined
}

/** `assistant.model.parameters`. Keys that are not listed here go to the provider as they are. */
export type ModelParameters = {
  readonly max_tokens?: number | undefined
  readonly temperature?: number | undefined
  readonly top_p?: number | undefined
  readonly top_k?: number | undefined
  readonly stop_words?: readonly string[] | undefined
  readonly reasoning?: ReasoningSetting | undefined
  readonly [other: string]: unknown
}

/** How much a model should think: a level, or a budget in tokens. */
export type ReasoningEffort = 'none' | 'auto' | 'max' | 'xhigh' | 'high' | 'medium' | 'low' | 'xlow' | number

/** `assistant.model.parameters.reasoning`. With `exclude` the model thinks, and its thoughts are not sent. */
export type ReasoningSetting =
  | 'off'
  | 'auto'
  | {readonly effort?: ReasoningEffort | undefined; readonly exclude?: boolean | undefined}

/** `assistant.request`. */
export type RequestSettings = {
  readonly max_retries?: number | undefined
  readonly base_backoff_ms?: number | undefined
  readonly max_backoff_secs?: number | undefined
  /** 0 turns it off. */
  readonly stream_idle_timeout_secs?: number | undefined
  readonly max_response_bytes?: number | undefined
  /** Prompt caching where a provider asks for it by hand: `off`, `short`, `long`, or how long (`30m`). */
  readonly cache?: boolean | string | undefined
}

/** What of the resolved configuration the providers need. */
export type ProviderSettings = {
  /** `providers.llm` without its `aliases`. */
  readonly providers: Readonly<Record<string, ProviderEntry | undefined>>
  readonly parameters?: ModelParameters | undefined
  readonly request?: RequestSettings | undefined
}

/** A call that failed for a passing reason is about to be made again. */
export type RetryNotice = {
  /** What failed, in the words of its error. */
  readonly reason: string
  /** The try that follows, counted from 1, out of `ofRetries`. */
  readonly retry: number
  readonly ofRetries: number
  readonly delayMs: number
}

/** What a provider needs of the process. */
export type ProviderDeps = {
  readonly environment: HostEnvironment
  /** The folder that relative paths in the configuration are meant from. */
  readonly configCwd: string
  /** Told before each wait of a retry: 'retrying in N s'. */
  readonly onRetry?: ((notice: RetryNotice) => void) | undefined
}
