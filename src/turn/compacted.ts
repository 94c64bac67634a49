import type {Compaction, KnownEvent, StoredEvent} from '../conversation/event.js'

/** A transcript with its compactions applied: whole turns may have become their summary. */
export type CompactedEvent = ContentEvent | {readonly type: 'summary'; readonly text: string}

/** The events that a model is told of. */
export type ContentEvent = Extract<
  KnownEvent,
  {type: 'chat_request' | 'chat_response' | 'tool_call_request' | 'tool_call_response'}
>

/** What a model is told in the place of what was taken out. */
const stripped = '[Removed to save space.]'

/** What holds for one turn: per kind of content, the compaction that was added last wins. */
type TurnPolicy = {
  summary?: Compaction
  stripReasoning: boolean
  toolCalls?: NonNullable<Compaction['tool_calls']>
}

/** Applies the compactions of a stream (facts 2.5). Pure; the stream itself is never shortened (W18). */
export const applyCompactions = (events: readonly KnownEvent[]): CompactedEvent[] => {
  const compactions = events.filter((event) => event.type === 'compaction')
  const policies = new Map<number, TurnPolicy>()
  const policyOf = (turn: number): TurnPolicy => {
    const known = policies.get(turn) ?? settlePolicy(compactions, turn)
    policies.set(turn, known)
    return known
  }
  const result: CompactedEvent[] = []
  let summarised: Compaction | undefined
  for (const {turn, event} of inTurns(events)) {
    const policy = policyOf(turn)
    if (policy.summary?.summary !== undefined) {
      if (policy.summary !== summarised) result.push({type: 'summary', text: policy.summary.summary.summary})
      summarised = policy.summary
      continue
    }
    summarised = undefined
    const kept = underPolicy(event, policy)
    if (kept !== undefined) result.push(kept)
  }
  return result
}

/**
 * A stream as a model is told it, for readers: what compactions change is changed, and a summary stands as an event of the
 * type `summary`.
 */
export const compactedStream = (events: Iterable<StoredEvent>): StoredEvent[] => {
  const stored = new Map<KnownEvent, StoredEvent>()
  for (const event of events) if (event.known !== undefined) stored.set(event.known, event)
  return applyCompactions([...stored.keys()]).map((event) => {
    if (event.type === 'summary') {
      const {type, text: summary} = event
      return {type, timestamp: '', value: {type, summary}, known: undefined, text: ''}
    }
    const {type, timestamp} = event
    return stored.get(event) ?? {type, timestamp, value: {...event}, known: event, text: ''}
  })
}

type InTurn = {readonly turn: number; readonly event: ContentEvent}

const contentTypes: ReadonlySet<string> = new Set([
  'chat_request',
  'chat_response',
  'tool_call_request',
  'tool_call_response',
])

const isContent = (event: KnownEvent): event is ContentEvent => contentTypes.has(event.type)

/** Every content event with the number of its turn. What stands before the first `turn_start` is turn 0. */
const inTurns = function* (events: readonly KnownEvent[]): Generator<InTurn> {
  let turn = -1
  for (const event of events) {
    if (event.type === 'turn_start') turn += 1
    else if (isContent(event)) {
      turn = Math.max(turn, 0)
      yield {turn, event}
    }
  }
}

const settlePolicy = (compactions: readonly Compaction[], turn: number): TurnPolicy => {
  const policy: TurnPolicy = {stripReasoning: false}
  for (const compaction of compactions) {
    if (turn < compaction.from_turn || turn > compaction.to_turn) continue
    if (compaction.summary !== undefined) policy.summary = compaction
    if (compaction.reasoning === 'strip') policy.stripReasoning = true
    if (compaction.tool_calls !== undefined) policy.toolCalls = compaction.tool_calls
  }
  return policy
}

const underPolicy = (event: ContentEvent, policy: TurnPolicy): ContentEvent | undefined => {
  const tools = policy.toolCalls
  switch (event.type) {
    case 'chat_request':
      return event
    case 'chat_response':
      return 'reasoning' in event && policy.stripReasoning ? undefined : event
    case 'tool_call_request':
      if (tools?.policy === 'omit') return undefined
      return tools?.policy === 'strip' && tools.request ? {...event, arguments: {}} : event
    case 'tool_call_response':
      if (tools?.policy === 'omit') return undefined
      return tools?.policy === 'strip' && tools.response ? {...event, content: stripped} : event
  }
}
