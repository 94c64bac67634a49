/** A model of a provider: `anthropic/claude-sonnet-4-5`. The name may hold slashes of its own. */
export type ModelId = {readonly provider: string; readonly name: string}

/** `providers.llm.aliases`: an alias may name another one. */
export type ModelAliases = Readonly<Record<string, string | ModelId>>

/** What a spelling of a model comes to. */
export type ModelReading =
  | {readonly kind: 'id'; readonly id: ModelId}
  /** Neither an alias nor `provider/name`: the text at which it ended. */
  | {readonly kind: 'unknown'; readonly text: string}
  /** Aliases that lead to each other, the first one again at the end. */
  | {readonly kind: 'circular'; readonly chain: readonly string[]}

/** A model id as users write it. */
export const formatModelId = (id: ModelId): string => `${id.provider}/${id.name}`

/** Reads a model as it is spelled: an alias, `provider/name`, or its parts (W24). */
export const readModelId = (spelling: string | ModelId, aliases: ModelAliases): ModelReading => {
  const seen: string[] = []
  let next = spelling
  while (typeof next === 'string') {
    const word: string = next.trim()
    const target: string | ModelId | undefined = Object.hasOwn(aliases, word) ? aliases[word] : undefined
    if (target === undefined) {
      const id = splitModelId(word)
      return id === undefined ? {kind: 'unknown', text: word} : {kind: 'id', id}
    }
    if (seen.includes(word)) return {kind: 'circular', chain: [...seen, word]}
    seen.push(word)
    next = target
  }
  return {kind: 'id', id: next}
}

/** The parts of `provider/name`; undefined for text that is none. */
export const splitModelId = (text: string): ModelId | undefined => {
  const slash = text.indexOf('/')
  const id = {provider: text.slice(0, slash), name: text.slice(slash + 1)}
  return slash > 0 && id.name !== '' ? id : undefined
}
