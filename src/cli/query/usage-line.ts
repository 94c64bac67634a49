import type {TokenUsage} from '../../turn/turn-event.js'

/** The tokens of a turn in one line for people; undefined when the provider says nothing. */
export const usageLine = (usage: TokenUsage): string | undefined => {
  const {input_tokens: input, cached_input_tokens: cached, output_tokens: output, reasoning_tokens: reasoning} = usage
  if (input === undefined && output === undefined) return undefined
  const cachedPart = cached === undefined || cached === 0 ? '' : ` (${shown(cached)} cached)`
  const reasoningPart = reasoning === undefined || reasoning === 0 ? '' : ` (${shown(reasoning)} reasoning)`
  return `tokens: ${shown(input ?? 0)} in${cachedPart}, ${shown(output ?? 0)} out${reasoningPart}`
}

/** By hand: the first number that Intl formats takes as long as the rest of a short turn. */
const shown = (tokens: number): string => String(tokens).replaceAll(/\B(?=(?:\d{3})+$)/g, ',')
