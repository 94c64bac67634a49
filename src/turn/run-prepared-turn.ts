import {rememberOwnSettings} from '../config/own-settings.js'
import type {McpPool} from '../mcp/pool.js'
import type {ServerRequest} from '../mcp/server-settings.js'
import {rfc3339} from '../platform/clock.js'
import {attach} from './attachments/attach.js'
import type {BackgroundTasks, RunningTask} from './background-tasks.js'
import type {PreparedTurn} from './prepare-turn.js'
import {runTurn, type TurnDeps, type TurnRequest} from './run-turn.js'
import {systemPrompt} from './system-prompt.js'
import {startTitle} from './title-task.js'
import type {ToolRound} from './tool-round.js'
import type {BeltDeps} from './tools/belt-deps.js'
import {openTools} from './tools/open-tools.js'
import type {PermissionAsker} from './tools/permission.js'
import {openPermissionRules} from './tools/permission-rules.js'
import {createToolBelt} from './tools/tool-belt.js'
import type {ToolHands} from './tools/tool-hands.js'
import type {TurnEnd} from './turn-end.js'
import type {TurnSubscriber} from './turn-event.js'
import {turnInquirer} from './turn-inquirer.js'
import type {TurnPlace} from './turn-place.js'

/** One turn in one checkout, ready to run. */
export type ReadyTurn = Pick<TurnDeps, 'clock' | 'conversation' | 'control' | 'subscribers'> &
  Pick<TurnRequest, 'content' | 'title' | 'schema'> & {
    readonly place: TurnPlace
    readonly prepared: PreparedTurn
    readonly isNew: boolean
    /** Asks about tool calls; absent where nobody can be asked (W26). */
    readonly asker?: PermissionAsker | undefined
    /** What built-in tools work with; jp's own hands when absent. */
    readonly hands?: ToolHands | undefined
    /** This process's session, as lock files name it. */
    readonly session?: string | undefined
    /** The one pool of MCP servers of the process (S33), made when a turn first needs one; without it none are used. */
    readonly pool?: (() => Promise<McpPool>) | undefined
    /** The background tasks of the process (S34); without them no title is made. */
    readonly tasks?: BackgroundTasks | undefined
    /** Told of a title that came after the turn's last event. */
    readonly onLateTitle?: ((title: string) => Promise<void>) | undefined
    /** Attachments of the configuration that were named for this turn (W34): one that can't be had is an error. */
    readonly namedAttachments?: readonly string[] | undefined
    /** MCP servers that the frontend brings for its user: each of their tools is on. */
    readonly servers?: readonly ServerRequest[] | undefined
    /** Told while the turn waits for MCP servers. */
    readonly onProgress?: ((text: string) => void) | undefined
  }

/**
 * Runs a turn as every frontend runs it: in its checkout, with the tools and the prompt of its configuration (S16, S32).
 * Never rejects once it has begun, as {@link runTurn}.
 * @throws JpError what its attachments and starting its tools throw.
 */
export const runPreparedTurn = async (turn: ReadyTurn): Promise<TurnEnd> => {
  const {place, prepared, conversation, isNew, clock, control, subscribers} = turn
  const warnings: string[] = []
  const warn = (text: string): void => void warnings.push(text)
  const attachments = await attach(turn, warn)
  const opened = await openTurnTools(turn, warn)
  let title: RunningTask | undefined
  let hasEnded = false
  /** `turn_ended` is the last event; who wants to hear of a title that comes behind it is told apart. */
  const announce = async (text: string): Promise<void> => {
    if (hasEnded) await turn.onLateTitle?.(text)
    else for (const subscriber of subscribers) await subscriber({type: 'title_changed', title: text})
  }
  const remember: TurnSubscriber = (event) => {
    hasEnded ||= event.type === 'turn_ended'
    if (event.type !== 'turn_started') return
    if (isNew || prepared.delta !== undefined) rememberOwnSettings(place.silo, conversation.id, prepared)
    title = startTitle(turn, announce)
  }
  try {
    const deps = {clock, conversation, control, subscribers: [remember, ...subscribers], model: prepared.model.model}
    const tools = createToolBelt(opened.tools, {...decidersOf(turn), inquirer: turnInquirer(turn, attachments)})
    const toolChoice = toolChoiceOf(prepared.config.assistant.tool_choice, tools, warn)
    const end = await runTurn({...deps, tools}, {...requestOf(turn, warnings), attachments, toolChoice})
    await title?.settle(end.outcome === 'completed' ? titleWaitMs : 0)
    return end
  } finally {
    opened.release()
  }
}

/** How long the end of a turn waits for its title (W28). Unit: milliseconds. */
const titleWaitMs = 3000

const openTurnTools = (
  {place, prepared, conversation, control, pool, servers, onProgress, hands}: ReadyTurn,
  warn: (text: string) => void,
) =>
  openTools(prepared.config.conversation.tools, {
    place: {
      root: place.checkout.root,
      workspaceId: place.checkout.id,
      conversationId: conversation.id,
      env: place.environment.env,
      hands,
    },
    mcp: {
      servers: prepared.config.providers.mcp,
      brought: servers ?? [],
      pool,
      signal: control.signal,
      onProgress: onProgress ?? (() => undefined),
    },
    warn,
  })

/** Who decides about calls. */
const decidersOf = ({place, clock, session, asker}: ReadyTurn): Pick<BeltDeps, 'asker' | 'rules'> => {
  const holder = () => ({
    pid: place.environment.pid,
    ...(session === undefined ? {} : {session}),
    acquired_at: rfc3339(clock.nowMs()),
  })
  const rules = place.silo === undefined ? undefined : openPermissionRules(place.silo, holder)
  return {asker, rules}
}

const requestOf = (turn: ReadyTurn, warnings: readonly string[]): TurnRequest => {
  const {place, prepared, conversation, isNew} = turn
  const {assistant, user} = prepared.config
  return {
    started: {
      conversation: conversation.id,
      is_new: isNew,
      workspace: place.checkout.id,
      root: place.checkout.root,
      model: prepared.model.name,
    },
    warnings,
    content: turn.content,
    author: user.name,
    title: turn.title,
    schema: turn.schema,
    configDelta: prepared.delta,
    system: systemPrompt(assistant),
  }
}

/** Providers refuse a request that forces a tool which it does not bring. */
const toolChoiceOf = (
  choice: string,
  {definitions}: Pick<ToolRound, 'definitions'>,
  warn: (text: string) => void,
): NonNullable<TurnRequest['toolChoice']> => {
  if (choice === 'auto' || choice === 'none' || choice === 'required') return {type: choice}
  if (definitions.some(({name}) => name === choice)) return {type: 'tool', toolName: choice}
  const names = definitions.map(({name}) => name)
  warn(
    `The tool "${choice}", which the model is to call, is not on${names.length === 0 ? '' : `; there are: ${names.join(', ')}`}. The model chooses.`,
  )
  return {type: 'auto'}
}
