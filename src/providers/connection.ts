import {JpError} from '../errors/jp-error.js'
import {variable} from '../platform/host-environment.js'
import type {ModelId} from '../platform/model-id.js'
import {type KnownProvider, knownProviders, otherServerCommand, type Wire} from './known-providers.js'
import type {ProviderDeps, ProviderEntry} from './provider-settings.js'

/** Where a provider is and how it is spoken to. */
export type Connection = {
  /** The name before the slash of the model id. */
  readonly provider: string
  /** How messages name it. */
  readonly title: string
  readonly wire: Wire
  /** With its version segment (`…/v1`), without a trailing slash. */
  readonly baseUrl: string
  readonly api: 'responses' | 'chat'
  readonly key: {readonly variable: string; readonly value: string} | undefined
  /** What to do when nobody listens at the base URL. */
  readonly startHint: string | undefined
}

/**
 * Works out a provider's connection from the configuration and the environment (W24).
 * @throws JpError `provider_unknown`, `config_invalid` (a base URL that is none), `provider_key_missing`.
 */
export const connectionOf = (id: ModelId, entry: ProviderEntry, deps: ProviderDeps): Connection => {
  const known = Object.hasOwn(knownProviders, id.provider) ? knownProviders[id.provider] : customProvider(id, entry)
  if (known === undefined) {
    throw new JpError('provider_unknown', `There is no provider "${id.provider}".`, {
      hint: `Any server that speaks the OpenAI wire: ${otherServerCommand(id.provider)}`,
    })
  }
  const baseUrl = baseUrlOf(id.provider, known, entry, deps)
  const own = isOwnHost(baseUrl, known)
  const api = entry.api ?? (known.wire === 'openai' && own ? 'responses' : 'chat')
  return {
    provider: id.provider,
    title: known.title,
    // A server that only resembles OpenAI's is best met by the tolerant wire; OpenAI's own chat has rules of its own.
    wire: openaiWire(known.wire, api, own),
    baseUrl,
    api,
    key: keyOf(known, entry, deps),
    startHint: known.startHint,
  }
}

const openaiWire = (wire: Wire, api: 'responses' | 'chat', own: boolean): Wire => {
  if (wire === 'openai' && api === 'chat' && !own) return 'compatible'
  if (wire === 'compatible' && api === 'responses') return 'openai'
  return wire
}

const customProvider = (id: ModelId, entry: ProviderEntry): KnownProvider | undefined => {
  if (entry.type !== 'openai-compatible') return undefined
  if (entry.base_url === undefined && entry.base_url_env === undefined) {
    throw new JpError('config_invalid', `providers.llm.${id.provider} has no base_url.`, {
      hint: `jp config set providers.llm.${id.provider}.base_url=https://…`,
    })
  }
  return {title: id.provider, wire: 'compatible', baseUrl: '', keyVariables: []}
}

const baseUrlOf = (name: string, known: KnownProvider, entry: ProviderEntry, deps: ProviderDeps): string => {
  const variableName = entry.base_url_env ?? known.baseUrlVariable
  const fromVariable = variableName === undefined ? undefined : variable(deps.environment, variableName)
  const written = fromVariable ?? entry.base_url ?? known.baseUrl
  const source = fromVariable === undefined ? `providers.llm.${name}.base_url` : `$${variableName ?? ''}`
  return withVersion(written, source, known)
}

/**
 * The URL with its API version: what has a version segment already (`/v1`, `/v1beta/openai`) stays as it is. The bare
 * host of a provider whose API lies deeper means that API (`https://openrouter.ai`).
 */
const withVersion = (written: string, source: string, known: KnownProvider): string => {
  const url = URL.canParse(written) ? new URL(written) : undefined
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    throw new JpError('config_invalid', `${source} is no http or https URL: "${written}".`)
  }
  if (url.username !== '' || url.password !== '') {
    throw new JpError('config_invalid', `${source} holds a user name or password.`, {
      hint: 'Put the key into an environment variable and name it in api_key_env.',
    })
  }
  const own = known.baseUrl === '' ? undefined : new URL(known.baseUrl)
  const path = (url.pathname === '/' && url.host === own?.host ? own : url).pathname.replace(/\/+$/, '')
  const version = known.wire === 'google' ? '/v1beta' : '/v1'
  return `${url.origin}${/\/v\d+[a-z0-9]*(?:\/|$)/.test(path) ? path : `${path}${version}`}`
}

const isOwnHost = (baseUrl: string, known: KnownProvider): boolean =>
  known.baseUrl !== '' && new URL(baseUrl).host === new URL(known.baseUrl).host

const keyOf = (known: KnownProvider, entry: ProviderEntry, deps: ProviderDeps): Connection['key'] => {
  // The configuration spells the usual variable out: that asks for nothing but the usual ones.
  const own = entry.api_key_env
  const names = own === undefined || known.keyVariables.includes(own) ? known.keyVariables : [own]
  for (const name of names) {
    const value = variable(deps.environment, name)
    if (value !== undefined) return {variable: name, value}
  }
  if (names.length === 0) return undefined
  throw new JpError('provider_key_missing', `There is no key for ${known.title}: ${names.join(' or ')} is not set.`, {
    hint: `export ${names[0] ?? ''}=…`,
  })
}
