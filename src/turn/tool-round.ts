import type {LanguageModelV4FunctionTool} from '@ai-sdk/provider'
import type {KnownEvent, NewEvent} from '../conversation/event.js'
import type {WrittenCall} from './answer-collector.js'
import type {ToolResult} from './tool.js'
import {interruptedResult} from './transcript.js'
import type {TurnControl} from './turn-control.js'
import type {TokenUsage, TurnEvent} from './turn-event.js'

/** What the tool calls of one model cycle are run with. */
export type RoundDeps = {
  readonly control: TurnControl
  say(event: TurnEvent): Promise<void>
  /** Stores a result, then says it (W35). They are given in the order of the calls, whatever order they finish in. */
  deliver(result: ToolResult): Promise<void>
  /** The conversation so far, the calls included. */
  history(): readonly KnownEvent[]
  /** Stores what stands beside calls and results: questions of tools that the assistant answered. */
  store(events: readonly NewEvent[]): Promise<void>
  /** Tokens that were used beside the model cycles. */
  count(usage: TokenUsage): Promise<void>
  /** What the model is told of all tools. */
  readonly definitions: readonly LanguageModelV4FunctionTool[]
}

/** The tools of a turn. */
export interface ToolRound {
  /** What the model is told of them. */
  readonly definitions: readonly LanguageModelV4FunctionTool[]
  /** Runs the calls of a cycle. Every call is delivered exactly one result, also when the turn is stopped meanwhile. */
  run(calls: readonly WrittenCall[], deps: RoundDeps): Promise<void>
}

/** A turn without tools: a model that calls one all the same is told so. */
export const noTools: ToolRound = {
  definitions: [],
  async run(calls, deps) {
    for (const {id, name} of calls) {
      const content = deps.control.workSignal().aborted ? interruptedResult : `There is no tool "${name}".`
      await deps.deliver({id, name, outcome: 'error', content})
    }
  },
}
