import type {SharedV4ProviderMetadata, SharedV4ProviderOptions} from '@ai-sdk/provider'

/** What a stored event keeps of a provider, by the keys of the file format. */
export type StoredMetadata = Readonly<Record<string, unknown>>

/**
 * The stored keys that have a name of their own in the file format, with their place in the provider's metadata.
 * A provider must get them back unchanged, or it refuses the conversation (signatures) or starts its thinking anew.
 */
const named = [
  ['anthropic_thinking_signature', 'anthropic', 'signature'],
  ['anthropic_redacted_thinking', 'anthropic', 'redactedData'],
  ['google_thought_signature', 'google', 'thoughtSignature'],
  ['openai_item_id', 'openai', 'itemId'],
  ['openai_encrypted_content', 'openai', 'reasoningEncryptedContent'],
  ['openai_phase', 'openai', 'phase'],
] as const

/** Where everything else that a provider sent is kept, by provider. */
const others = 'provider_metadata'

type Metadata = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** Adds what a later piece of the same part brings: a later value wins, and null brings nothing. */
export const mergeMetadata = (known: Metadata | undefined, more: SharedV4ProviderMetadata | undefined): Metadata => {
  const merged: Record<string, Readonly<Record<string, unknown>>> = {...known}
  for (const [provider, fields] of Object.entries(more ?? {})) {
    const brought = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined)
    if (brought.length > 0) merged[provider] = {...merged[provider], ...Object.fromEntries(brought)}
  }
  return merged
}

/** The metadata of a stored event for what a provider sent with a part; undefined when there is nothing to keep. */
export const toStoredMetadata = (metadata: Metadata | undefined): StoredMetadata | undefined => {
  const rest: Record<string, Record<string, unknown>> = {}
  for (const [provider, fields] of Object.entries(metadata ?? {})) rest[provider] = {...fields}
  const stored: Record<string, unknown> = {}
  for (const [key, provider, field] of named) {
    const fields = rest[provider]
    if (fields === undefined || typeof fields[field] !== 'string') continue
    stored[key] = fields[field]
    delete fields[field]
  }
  const left = Object.entries(rest).filter(([, fields]) => Object.keys(fields).length > 0)
  if (left.length > 0) stored[others] = Object.fromEntries(left)
  return Object.keys(stored).length === 0 ? undefined : stored
}

/** What to hand back to the provider with a part; undefined when nothing was kept. The reverse of the storing. */
export const toProviderOptions = (stored: StoredMetadata | undefined): SharedV4ProviderOptions | undefined => {
  const options: Record<string, Record<string, unknown>> = {}
  const rest = stored?.[others]
  if (isRecord(rest)) {
    for (const [provider, fields] of Object.entries(rest)) if (isRecord(fields)) options[provider] = {...fields}
  }
  for (const [key, provider, field] of named) {
    const value = stored?.[key]
    if (typeof value === 'string') options[provider] = {...options[provider], [field]: value}
  }
  // What was kept came from JSON, so it is JSON.
  return Object.keys(options).length === 0 ? undefined : (options as SharedV4ProviderOptions)
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
