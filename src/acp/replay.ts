import type {SessionUpdate} from '@agentclientprotocol/sdk'
import type {KnownEvent, StoredEvent} from '../conversation/event.js'
import type {ToolCallIds} from './tool-call-ids.js'
import {toolView} from './tool-view.js'
import {textContent} from './turn-updates.js'

/** What replaying depends on. */
export type ReplayDeps = {
  readonly root: string
  readonly ids: ToolCallIds
  builtInOf(name: string): string | undefined
}

/** The whole stored stream as a client is shown it at `session/load`, in order. Pure. */
export const replayUpdates = (events: readonly StoredEvent[], deps: ReplayDeps): SessionUpdate[] => {
  const known = events.flatMap((event) => (event.known === undefined ? [] : [event.known]))
  const answers = answersByCall(known)
  return known.flatMap((event) => updateOf(event, deps, answers))
}

type CallRequest = Extract<KnownEvent, {type: 'tool_call_request'}>
type CallResponse = Extract<KnownEvent, {type: 'tool_call_response'}>

/** A result belongs to the last call with its id that has none: ids may repeat. */
const answersByCall = (events: readonly KnownEvent[]): ReadonlyMap<CallRequest, CallResponse> => {
  const open = new Map<string, CallRequest[]>()
  const answers = new Map<CallRequest, CallResponse>()
  for (const event of events) {
    if (event.type === 'tool_call_request') open.set(event.id, [...(open.get(event.id) ?? []), event])
    if (event.type !== 'tool_call_response') continue
    const request = open.get(event.id)?.pop()
    if (request !== undefined) answers.set(request, event)
  }
  return answers
}

const updateOf = (
  event: KnownEvent,
  deps: ReplayDeps,
  answers: ReadonlyMap<CallRequest, CallResponse>,
): SessionUpdate[] => {
  switch (event.type) {
    case 'chat_request':
      return [{sessionUpdate: 'user_message_chunk', content: {type: 'text', text: event.content}}]
    case 'chat_response':
      if ('reasoning' in event) {
        if (event.reasoning === '') return []
        return [{sessionUpdate: 'agent_thought_chunk', content: {type: 'text', text: event.reasoning}}]
      }
      return [
        {
          sessionUpdate: 'agent_message_chunk',
          content: {type: 'text', text: 'message' in event ? event.message : JSON.stringify(event.data)},
        },
      ]
    case 'tool_call_request':
      return [callUpdate(event, deps, answers.get(event))]
    default:
      return []
  }
}

const callUpdate = (event: CallRequest, deps: ReplayDeps, answer: CallResponse | undefined): SessionUpdate => {
  const args = {...event.arguments}
  return {
    sessionUpdate: 'tool_call',
    toolCallId: deps.ids.open(event.id),
    name: event.name,
    ...toolView({name: event.name, builtIn: deps.builtInOf(event.name), arguments: args}, deps.root),
    // A call without a result was broken off.
    status: answer === undefined || answer.is_error ? 'failed' : 'completed',
    rawInput: args,
    ...(answer === undefined ? {} : {content: [textContent(answer.content)], rawOutput: {content: answer.content}}),
  }
}
