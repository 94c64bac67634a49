import type {ConversationId} from '../platform/id-grammar.js'
import {readConversation, readStreamBytes} from './conversation.js'
import type {Compaction, StoredEvent} from './event.js'
import {elementSlices, parseEvents} from './events-text.js'
import {readSettled, type View} from './located.js'
import {withMember} from './object-text.js'
import {momentOfStored} from './timestamp.js'
import {withTurns} from './turns.js'
import type {NewConversation} from './unborn.js'

/** Which part of a conversation goes into its fork. */
export type ForkChoice = {
  /** Only the first, or the last, N turns. */
  readonly first?: number | undefined
  readonly last?: number | undefined
  /** Only turns that began in this span. Unit: milliseconds since the Unix epoch. */
  readonly fromMs?: number | undefined
  readonly untilMs?: number | undefined
  /** No turn at all: the configuration alone. */
  readonly noTurns?: boolean | undefined
}

/**
 * The elements of a fork, each as the original's file spells it. What belongs to no turn (configuration, events of other
 * versions) always goes along; a compaction goes with its turns, and names them as they are counted in the fork.
 * @param bytes the original's `events.json`, parsed into `events`.
 */
export const forkedElements = (
  bytes: Buffer,
  events: readonly StoredEvent[],
  choice: ForkChoice,
): readonly string[] => {
  const slices = elementSlices(bytes, 'events.json')
  const turns = [...withTurns(events)]
  const count = turns.at(-1)?.[1] ?? 0
  const starts = new Map<number, number>()
  for (const [event, turn] of turns) if (!starts.has(turn)) starts.set(turn, momentOfStored(event.timestamp) ?? 0)
  const isChosen = (turn: number): boolean => {
    const start = starts.get(turn) ?? 0
    return (
      choice.noTurns !== true &&
      (choice.first === undefined || turn <= choice.first) &&
      (choice.last === undefined || turn > count - choice.last) &&
      (choice.fromMs === undefined || start >= choice.fromMs) &&
      (choice.untilMs === undefined || start <= choice.untilMs)
    )
  }
  const kept = [...starts.keys()].filter((turn) => turn > 0 && isChosen(turn))
  return turns.flatMap(([{type, known}, turn], index) => {
    const text = slices[index]?.toString('utf8') ?? ''
    if (known?.type === 'compaction') return renumbered(text, known, kept).map((element) => `  ${element}`)
    return known === undefined || type === 'config_delta' || isChosen(turn) ? [`  ${text}`] : []
  })
}

/** A compaction as the turns that are kept are counted; it goes with the last turn that it is about. */
const renumbered = (text: string, {from_turn: from, to_turn: to}: Compaction, kept: readonly number[]): string[] => {
  const [first, last] = [kept.findIndex((turn) => turn > from), kept.findLastIndex((turn) => turn <= to + 1)]
  if (first === -1 || last < first) return []
  const begun = first === from ? text : withMember(text, 'from_turn', first)
  return [last === to ? begun : withMember(begun, 'to_turn', last)]
}

/** What a fork has of its own. */
export type ForkOptions = {
  /** The original's by default. */
  readonly title?: string | undefined
  readonly labels?: Readonly<Record<string, string>> | undefined
  /** Leave the original's labels behind. */
  readonly resetLabels?: boolean | undefined
}

/** The new conversation that a fork is. @throws JpError as `readConversation`. */
export const forkOf = (
  view: View,
  id: ConversationId,
  {choice, options}: {readonly choice: ForkChoice; readonly options: ForkOptions},
): NewConversation => {
  const original = readConversation(view, id)
  const {events, baseConfig, path} = readSettled(view.roots, id, readStreamBytes)
  return {
    title: options.title ?? original.title,
    local: original.presence === 'user-local',
    labels: {...(options.resetLabels === true ? {} : original.metadata.labels), ...options.labels},
    seed: {events: forkedElements(events, parseEvents(events, path), choice), baseConfig},
  }
}
