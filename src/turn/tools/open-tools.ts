import type {Configuration} from '../../config/schema.js'
import {nearest} from '../../platform/nearest.js'
import type {BeltTool} from './belt-deps.js'
import {createBuiltIn} from './builtin/built-in-tool.js'
import {builtIns} from './builtin/built-ins.js'
import {createFileAccess} from './builtin/file-access.js'
import {createLocalTool, type ToolPlace} from './local-tool.js'
import {type McpAccess, openMcpTools, type WantedMcpTool} from './mcp-tools.js'
import {settingsOf, sourceOf, type ToolSettings, timeLimitMs} from './tool-settings.js'

/** What tools are opened with. */
export type ToolsDeps = {
  readonly place: ToolPlace
  readonly mcp: Omit<McpAccess, 'place' | 'warn' | 'settingsOf'>
  readonly warn: (text: string) => void
}

/** The tools of a turn; released when it ends. */
export type OpenedTools = {readonly tools: readonly BeltTool[]; release(): void}

/** The names of the tools that are on (facts 7.6), sorted: configured ones, and built-ins that a flag or a file names. */
export const enabledTools = (tools: Configuration['conversation']['tools']): string[] =>
  [...new Set([...Object.keys(tools), ...Object.keys(builtIns)])]
    .filter((name) => name !== '*')
    .filter((name) => isEnabled(tools, name))
    .sort()

/** A built-in that nobody configured is off until it is named; a configured tool is on until it says otherwise. */
const isEnabled = (tools: Configuration['conversation']['tools'], name: string): boolean => {
  const own = tools[name]
  return own?.enable?.state ?? (own !== undefined && tools['*']?.enable?.state !== false)
}

/**
 * Opens the tools that are on. One that can't be had is left out with a warning.
 * @throws JpError what starting an MCP server throws.
 */
export const openTools = async (
  tools: Configuration['conversation']['tools'],
  deps: ToolsDeps,
): Promise<OpenedTools> => {
  const opened: BeltTool[] = []
  const wanted: WantedMcpTool[] = []
  for (const name of enabledTools(tools)) {
    const settings = settingsOf(tools, name)
    const source = sourceOf(name, settings.source ?? (Object.hasOwn(builtIns, name) ? 'builtin' : 'local'))
    if (source.kind === 'mcp') wanted.push({name, settings, server: source.server, tool: source.tool})
    else if (source.kind === 'unknown')
      deps.warn(`The tool ${name} has a source that does not exist: "${source.text}".`)
    else {
      const entry =
        source.kind === 'builtin'
          ? openBuiltIn(name, source.tool, settings, deps.place)
          : openLocal(name, settings, deps.place)
      if (typeof entry === 'string') deps.warn(entry)
      else opened.push(entry)
    }
  }
  const {place, warn, mcp} = deps
  const more = await openMcpTools(wanted, {...mcp, place, warn, settingsOf: (name) => settingsOf(tools, name)})
  return {tools: [...opened, ...more.tools], release: () => more.release()}
}

const openLocal = (name: string, settings: ToolSettings, place: ToolPlace): BeltTool | string =>
  settings.command === undefined
    ? `The tool ${name} has no command, so the model is not told of it.`
    : {tool: createLocalTool(name, settings, place), settings, definition: settings.command}

const openBuiltIn = (name: string, builtIn: string, settings: ToolSettings, place: ToolPlace): BeltTool | string => {
  const tool = Object.hasOwn(builtIns, builtIn) ? builtIns[builtIn] : undefined
  if (tool === undefined) {
    const near = nearest(builtIn, Object.keys(builtIns))
    return `There is no built-in tool "${builtIn}".${near === undefined ? '' : ` Did you mean "${near}"?`}`
  }
  const {commandOf} = tool
  return {
    tool: createBuiltIn(name, tool, {
      ...place,
      limitMs: timeLimitMs(settings),
      access: createFileAccess({root: place.root, env: place.env, access: settings.access}),
    }),
    settings,
    definition: `builtin.${builtIn}`,
    ...(commandOf === undefined ? {} : {commandOf}),
  }
}
