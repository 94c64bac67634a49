import {honourProxies} from '../platform/proxy.js'
import {type Connection, connectionOf} from './connection.js'
import {knownProviders} from './known-providers.js'
import {isRecord} from './network.js'
import type {ProviderDeps, ProviderEntry} from './provider-settings.js'

/** A provider that can be used here without setting anything up. */
export type FoundProvider = {
  readonly provider: string
  readonly title: string
  /** Why: the variable that holds its key, or the address of a server that answers. */
  readonly reason: {readonly variable: string} | {readonly url: string}
}

/** How long a server on this machine may take to answer. Unit: milliseconds. */
const localTimeoutMs = 2000

/** How long a provider may take to list its models. Unit: milliseconds. */
const listTimeoutMs = 5000

/**
 * The providers whose key is in the environment, then those whose server runs on this machine (Q5). Only loopback is
 * asked; nothing is sent to anyone else.
 */
export const findProviders = async (
  entries: Readonly<Record<string, ProviderEntry | undefined>>,
  deps: ProviderDeps,
): Promise<readonly FoundProvider[]> => {
  const found = await Promise.all(
    Object.entries(knownProviders)
      .filter(([name]) => name !== 'echo')
      .map(([name, {title}]) => findProvider(name, title, entries[name] ?? {}, deps)),
  )
  const here = found.filter((provider) => provider !== undefined)
  return [...here.filter(({reason}) => 'variable' in reason), ...here.filter(({reason}) => 'url' in reason)]
}

const findProvider = async (
  provider: string,
  title: string,
  entry: ProviderEntry,
  deps: ProviderDeps,
): Promise<FoundProvider | undefined> => {
  const connection = connect(provider, entry, deps)
  if (connection === undefined) return undefined
  if (connection.key !== undefined) return {provider, title, reason: {variable: connection.key.variable}}
  const models = await fetchModels(connection, AbortSignal.timeout(localTimeoutMs))
  return models === undefined ? undefined : {provider, title, reason: {url: connection.baseUrl}}
}

/**
 * The names of the models that a provider has, as it orders them; empty when it does not tell. Asks the provider.
 */
export const listModels = async (
  provider: string,
  entry: ProviderEntry,
  deps: ProviderDeps,
): Promise<readonly string[]> => {
  const connection = connect(provider, entry, deps)
  if (connection === undefined) return []
  await honourProxies(deps.environment)
  return (await fetchModels(connection, AbortSignal.timeout(listTimeoutMs))) ?? []
}

/** Undefined for a provider that can't be asked: without its key, or with a setting that is wrong. */
const connect = (provider: string, entry: ProviderEntry, deps: ProviderDeps): Connection | undefined => {
  try {
    return connectionOf({provider, name: ''}, entry, deps)
  } catch {
    return undefined
  }
}

const fetchModels = async (connection: Connection, signal: AbortSignal): Promise<string[] | undefined> => {
  try {
    const response = await askForModels(connection, signal)
    return response.ok ? namesIn(await response.json()) : undefined
  } catch {
    return undefined
  }
}

/** Asks a provider which models it has. Rejects as `fetch` does. */
export const askForModels = (connection: Connection, signal: AbortSignal): Promise<Response> => {
  const page = connection.wire === 'google' ? '?pageSize=1000' : connection.wire === 'anthropic' ? '?limit=1000' : ''
  return fetch(`${connection.baseUrl}/models${page}`, {headers: keyHeaders(connection), signal})
}

const keyHeaders = ({wire, key}: Connection): Record<string, string> => {
  if (key === undefined) return {}
  if (wire === 'anthropic') return {'x-api-key': key.value, 'anthropic-version': '2023-06-01'}
  return wire === 'google' ? {'x-goog-api-key': key.value} : {authorization: `Bearer ${key.value}`}
}

/** OpenAI's shape (`data[].id`), Anthropic's, which is the same, and Google's (`models[].name`). */
const namesIn = (body: unknown): string[] | undefined => {
  const list = isRecord(body) ? (body['data'] ?? body['models']) : undefined
  if (!Array.isArray(list)) return undefined
  return list.flatMap((model: unknown) => {
    const name = isRecord(model) ? (model['id'] ?? model['name']) : undefined
    return typeof name === 'string' ? [name.replace(/^models\//, '')] : []
  })
}
