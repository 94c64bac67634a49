import {homedir} from 'node:os'
import type {LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart} from '@ai-sdk/provider'
import type {ProviderDeps} from '../../src/providers/provider-settings.js'

/** A user's message as a prompt. */
export const ask = (text: string): LanguageModelV4CallOptions['prompt'] => [
  {role: 'user', content: [{type: 'text', text}]},
]

/** The dependencies of a provider with this environment and nothing else. */
export const providerDeps = (
  env: Readonly<Record<string, string>> = {},
  more: Partial<ProviderDeps> = {},
): ProviderDeps => ({
  environment: {env, cwd: '/', homeDir: homedir(), platform: process.platform, pid: process.pid},
  configCwd: '/',
  ...more,
})

/** What one call gave: its parts in order, and the error that the call, the stream or an `error` part ended with. */
export type Answer = {
  readonly parts: readonly LanguageModelV4StreamPart[]
  readonly text: string
  readonly reasoning: string
  readonly calls: readonly {name: string; input: string; id: string}[]
  readonly finish: string | undefined
  readonly error: unknown
}

/** Makes one streaming call and gathers all of it; `onPart` sees each part as it comes. */
export const call = async (
  model: LanguageModelV4,
  options: LanguageModelV4CallOptions,
  onPart: (part: LanguageModelV4StreamPart) => void = () => undefined,
): Promise<Answer> => {
  const parts: LanguageModelV4StreamPart[] = []
  let error: unknown
  try {
    const {stream} = await model.doStream(options)
    for await (const part of stream) {
      parts.push(part)
      if (part.type === 'error') error ??= part.error
      onPart(part)
    }
  } catch (thrown) {
    error = thrown
  }
  const joined = (type: 'text-delta' | 'reasoning-delta'): string =>
    parts.map((part) => (part.type === type ? part.delta : '')).join('')
  return {
    parts,
    text: joined('text-delta'),
    reasoning: joined('reasoning-delta'),
    calls: parts.flatMap((part) =>
      part.type === 'tool-call' ? [{name: part.toolName, input: part.input, id: part.toolCallId}] : [],
    ),
    finish: parts.flatMap((part) => (part.type === 'finish' ? [part.finishReason.unified] : []))[0],
    error,
  }
}
