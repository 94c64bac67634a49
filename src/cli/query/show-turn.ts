import type {Configuration} from '../../config/schema.js'
import {forTerminalLine} from '../../platform/sanitise.js'
import {formatArguments} from '../../turn/tools/format-arguments.js'
import {settingsOf} from '../../turn/tools/tool-settings.js'
import type {TurnEvent, TurnSubscriber} from '../../turn/turn-event.js'
import {createBackground} from '../paint.js'
import {createJsonEvents} from './json-events.js'
import type {LiveLine, LiveTiming} from './live-line.js'
import type {QueryOptions} from './query-options.js'
import type {QueryScene} from './query-scene.js'
import type {ToolDisplay} from './tool-lines.js'
import {createTurnMarkdown} from './turn-markdown.js'
import {createTurnText, type TurnTextOptions} from './turn-text.js'

/** What a turn is shown by. */
export type ShownTurn = {readonly config: Configuration; readonly options: QueryOptions}

/** How the turn is shown, by the format (W29). `live` says what is waited for. */
export const showTurn = (scene: QueryScene, turn: ShownTurn, live: LiveLine): TurnSubscriber => {
  const {output} = scene.invocation
  if (output.isJson) return createJsonEvents(output)
  let conversation = ''
  const draw = drawTurn(scene, turn, () => conversation)
  const follow = createWaits(turn.config.style, live)
  return async (event) => {
    if (event.type === 'turn_started') conversation = event.conversation
    live.stop()
    await draw(event)
    if (output.format === 'text-pretty') follow(event)
  }
}

const drawTurn = (scene: QueryScene, {config, options}: ShownTurn, conversation: () => string): TurnSubscriber => {
  const {output} = scene.invocation
  const {style} = config
  const shown: TurnTextOptions = {
    reasoning: options.showReasoning ? style.reasoning.display : 'hidden',
    behindReasoning: createBackground(output.hasColors.stderr, style.reasoning.background),
    extendsBackground: style.reasoning.extend_across_tool_calls,
    tools: options.showToolCalls && style.tool_call.show ? toolDisplay(scene, config, conversation) : undefined,
  }
  if (output.format !== 'text-pretty') return createTurnText(output, shown)
  return createTurnMarkdown(output, shown, async () => {
    const {loadMarkdown} = await import('../markdown/open-markdown.js')
    return loadMarkdown({
      paint: output.paint,
      terminalWidth: output.width,
      hasColors: output.hasColors.stdout,
      style,
    })
  })
}

const toolDisplay = (
  {place}: QueryScene,
  {conversation: {tools}}: Configuration,
  conversation: () => string,
): ToolDisplay => ({
  styleOf: (name) => settingsOf(tools, name).style ?? {},
  format: (name, args) =>
    formatArguments(
      {name, settings: settingsOf(tools, name), arguments: args},
      {
        root: place.checkout.root,
        workspaceId: place.checkout.id,
        conversationId: conversation(),
        env: place.environment.env,
      },
    ),
})

/** Says what is waited for: the answer, a tool call that is being written, tools that run. */
const createWaits = (style: Configuration['style'], live: LiveLine): ((event: TurnEvent) => void) => {
  const running = new Map<string, string>()
  let waiting: readonly [text: string, timing: LiveTiming] | undefined
  const forWork = (): typeof waiting =>
    running.size === 0
      ? ['Waiting for the answer', style.streaming.progress]
      : [`Running ${[...running.values()].map(forTerminalLine).join(', ')}`, style.tool_call.progress]

  const changed = (event: TurnEvent): typeof waiting => {
    switch (event.type) {
      case 'turn_started':
        return forWork()
      case 'tool_call_preparing':
        return [`Preparing ${forTerminalLine(event.name)}`, style.tool_call.preparing]
      case 'tool_call_started':
        running.set(event.id, event.name)
        return forWork()
      case 'tool_call_ended':
        running.delete(event.id)
        return forWork()
      case 'text_delta':
      case 'reasoning_delta':
      case 'permission_requested':
      case 'turn_ended':
        return undefined
      default:
        return waiting
    }
  }
  return (event) => {
    waiting = changed(event)
    if (waiting !== undefined) live.wait(...waiting)
  }
}
