import type {LanguageModelV4CallOptions, LanguageModelV4FunctionTool} from '@ai-sdk/provider'
import type {KnownEvent} from '../conversation/event.js'
import type {TurnRequest} from './run-turn.js'
import {projectTranscript} from './transcript.js'

/** What one model cycle depends on. */
export type CycleInput = {
  readonly events: readonly KnownEvent[]
  readonly tools: readonly LanguageModelV4FunctionTool[]
  /** Tools were called before in this turn: a forced choice would be forced for ever (facts 9.2). */
  readonly hasCalled: boolean
}

/** The call of a model for one cycle of a turn. Pure. */
export const callOptions = (
  {system, attachments, schema, toolChoice}: Pick<TurnRequest, 'system' | 'attachments' | 'schema' | 'toolChoice'>,
  {events, tools, hasCalled}: CycleInput,
): LanguageModelV4CallOptions => ({
  prompt: projectTranscript(events, {
    ...(system === undefined ? {} : {system}),
    ...(attachments === undefined ? {} : {attachments}),
  }),
  ...(tools.length === 0
    ? {}
    : {tools: [...tools], toolChoice: hasCalled || toolChoice === undefined ? {type: 'auto'} : toolChoice}),
  ...(schema === undefined ? {} : {responseFormat: {type: 'json', schema}}),
})
