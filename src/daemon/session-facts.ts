import type {AgentSessionState} from '../protocol/agent-replies.js'
import type {AgentUpdate} from './agent/agent-link.js'

/** How often a tool ran, and how that ended. */
export type ToolCount = {count: number; success: number; fail: number; durationMs: number}

/** What is known of a live session from what its agent has told. */
export interface SessionFacts {
  /** Modes, models and options, as of now. */
  readonly state: AgentSessionState
  readonly title: string | undefined
  readonly commands: readonly unknown[]
  readonly tools: Readonly<Record<string, ToolCount>>
  /** The newest usage that the agent reported for the context window. Unit: tokens. */
  readonly contextUsed: number | undefined
  readonly contextSize: number | undefined
  /** Tokens over all turns, when the agent reports them. */
  readonly tokens: Readonly<Record<string, number>>
  readonly currentModelId: string | undefined
  readonly currentModeId: string | undefined
  /** Takes one update of the agent in. */
  observe(update: AgentUpdate, nowMs: number): void
  addUsage(usage: Readonly<Record<string, unknown>> | undefined): void
  setState(state: AgentSessionState): void
}

/** Creates the facts of a session that was just made or restored. */
export const createSessionFacts = (initial: AgentSessionState): SessionFacts => {
  const tools = new Map<string, ToolCount>()
  const open = new Map<string, {name: string; sinceMs: number}>()
  const tokens = new Map<string, number>()

  const observeTool = (update: AgentUpdate, nowMs: number): void => {
    const id = textOr(update['toolCallId'], '')
    const known = open.get(id)
    if (known === undefined && update.sessionUpdate === 'tool_call') {
      open.set(id, {name: textOr(update['kind'], 'other'), sinceMs: nowMs})
    }
    const call = known ?? open.get(id)
    const status = update['status']
    if (call === undefined || (status !== 'completed' && status !== 'failed')) return
    open.delete(id)
    const count = tools.get(call.name) ?? {count: 0, success: 0, fail: 0, durationMs: 0}
    const ended = status === 'completed' ? {success: count.success + 1} : {fail: count.fail + 1}
    const durationMs = count.durationMs + nowMs - call.sinceMs
    tools.set(call.name, {...count, ...ended, count: count.count + 1, durationMs})
  }

  const observers: Readonly<Record<string, (update: AgentUpdate, nowMs: number) => void>> = {
    available_commands_update: ({availableCommands}) => {
      if (Array.isArray(availableCommands)) facts.commands = availableCommands
    },
    current_mode_update: ({currentModeId}) => {
      const {modes} = facts.state
      if (modes && typeof currentModeId === 'string') {
        facts.state = {...facts.state, modes: {...modes, currentModeId}}
      }
    },
    config_option_update: ({configOptions}) => {
      if (Array.isArray(configOptions)) facts.state = {...facts.state, configOptions}
    },
    session_info_update: ({title}) => {
      if (typeof title === 'string') facts.title = title
    },
    usage_update: ({used, size}) => {
      facts.contextUsed = numberOr(used, facts.contextUsed)
      facts.contextSize = numberOr(size, facts.contextSize)
    },
    tool_call: observeTool,
    tool_call_update: observeTool,
  }

  const facts: {-readonly [Fact in keyof SessionFacts]: SessionFacts[Fact]} = {
    state: initial,
    title: undefined,
    commands: [],
    contextUsed: undefined,
    contextSize: undefined,
    get tools() {
      return Object.fromEntries(tools)
    },
    get tokens() {
      return Object.fromEntries(tokens)
    },
    get currentModelId() {
      return facts.state.models?.currentModelId ?? modelOption(facts.state)
    },
    get currentModeId() {
      return facts.state.modes?.currentModeId
    },
    observe: (update, nowMs) => observers[update.sessionUpdate]?.(update, nowMs),
    addUsage(usage) {
      for (const [name, value] of Object.entries(usage ?? {})) {
        if (typeof value === 'number') tokens.set(name, (tokens.get(name) ?? 0) + value)
      }
    },
    setState(state) {
      facts.state = {...facts.state, ...state}
    },
  }
  return facts
}

/** The option that stands for the model, by the category that ACP reserves for it. */
export const optionOf = (state: AgentSessionState, category: string) =>
  state.configOptions?.find((option) => option.category === category || option.id === category)

const modelOption = (state: AgentSessionState): string | undefined => {
  const current: unknown = optionOf(state, 'model')?.['currentValue']
  return typeof current === 'string' ? current : undefined
}

const textOr = (value: unknown, fallback: string): string => (typeof value === 'string' ? value : fallback)

const numberOr = (value: unknown, fallback: number | undefined): number | undefined =>
  typeof value === 'number' ? value : fallback
