import type {SessionUpdate, ToolCallContent} from '@agentclientprotocol/sdk'
import type {ToolCallRequested, TurnEvent, TurnSubscriber} from '../turn/turn-event.js'
import type {CallDisplays} from './call-displays.js'
import type {ToolCallIds} from './tool-call-ids.js'
import {toolKind, toolView} from './tool-view.js'

/** What turning a turn into updates depends on. */
export type UpdateDeps = {
  readonly root: string
  readonly ids: ToolCallIds
  /** The built-in tool behind a name. */
  builtInOf(name: string): string | undefined
  /** The difference that a call would make, shown from then on; empty for what changes no file. */
  differenceOf(call: ToolCallRequested): Promise<ToolCallContent[]>
  readonly displays: CallDisplays
  send(update: SessionUpdate): Promise<void>
  /** Tells of something beside the answer. */
  tell(severity: 'info' | 'warning', text: string): Promise<void>
}

/** Streams a turn to the client, event by event; a slow client slows the turn (W35). */
export const createTurnUpdates = (deps: UpdateDeps): TurnSubscriber => {
  const announced = new Set<string>()
  return async (event) => {
    for (const update of await updatesOf(event, deps, announced)) await deps.send(update)
    if (event.type === 'warning') await deps.tell('warning', event.message)
    if (event.type === 'retrying') await deps.tell('info', event.reason)
  }
}

const updatesOf = async (event: TurnEvent, deps: UpdateDeps, announced: Set<string>): Promise<SessionUpdate[]> => {
  switch (event.type) {
    case 'text_delta':
      return [{sessionUpdate: 'agent_message_chunk', content: {type: 'text', text: event.text}}]
    case 'reasoning_delta':
      return [{sessionUpdate: 'agent_thought_chunk', content: {type: 'text', text: event.text}}]
    case 'title_changed':
      return [{sessionUpdate: 'session_info_update', title: event.title}]
    case 'tool_call_preparing':
      announced.add(event.id)
      return [
        {
          sessionUpdate: 'tool_call',
          toolCallId: deps.ids.open(event.id),
          title: event.name,
          name: event.name,
          kind: toolKind(deps.builtInOf(event.name)),
          status: 'pending',
        },
      ]
    case 'tool_call_requested':
      return [await requested(event, deps, announced.delete(event.id))]
    case 'tool_call_started':
      return [{sessionUpdate: 'tool_call_update', toolCallId: deps.ids.of(event.id), status: 'in_progress'}]
    case 'tool_call_ended':
      return [
        {
          sessionUpdate: 'tool_call_update',
          toolCallId: deps.ids.of(event.id),
          status: event.outcome === 'success' ? 'completed' : 'failed',
          ...(deps.displays.outlives(event.id, event.outcome === 'success')
            ? {}
            : {content: [textContent(event.content)]}),
          rawOutput: {outcome: event.outcome, content: event.content},
        },
      ]
    default:
      return []
  }
}

const requested = async (event: ToolCallRequested, deps: UpdateDeps, isAnnounced: boolean): Promise<SessionUpdate> => {
  const view = toolView({name: event.name, builtIn: deps.builtInOf(event.name), arguments: event.arguments}, deps.root)
  const content = await deps.differenceOf(event)
  const shown = {...view, rawInput: event.arguments, ...(content.length === 0 ? {} : {content})}
  return isAnnounced
    ? {sessionUpdate: 'tool_call_update', toolCallId: deps.ids.of(event.id), ...shown}
    : {sessionUpdate: 'tool_call', toolCallId: deps.ids.open(event.id), name: event.name, status: 'pending', ...shown}
}

/** A text of a tool, as a client shows it. */
export const textContent = (text: string): ToolCallContent => ({type: 'content', content: {type: 'text', text}})
