import {isAbsolute, join} from 'node:path'
import type {ToolCallLocation, ToolKind} from '@agentclientprotocol/sdk'

/** How a tool call is shown in a client. */
export type ToolView = {
  readonly title: string
  readonly kind: ToolKind
  readonly locations: ToolCallLocation[]
}

/** One call, as far as a client is shown it. */
export type ShownCall = {
  readonly name: string
  /** The built-in tool behind the name; undefined for commands of the configuration and tools of MCP servers. */
  readonly builtIn: string | undefined
  readonly arguments: Readonly<Record<string, unknown>>
}

type Arguments = ShownCall['arguments']

type BuiltInView = {
  readonly kind: ToolKind
  title(args: Arguments): string
  /** The argument that names a file. */
  readonly file?: 'path'
}

const text = (value: unknown, otherwise: string): string => (typeof value === 'string' ? value : otherwise)

const builtInViews: Readonly<Record<string, BuiltInView>> = {
  read_file: {kind: 'read', file: 'path', title: (args) => `Read ${text(args['path'], 'a file')}`},
  list_files: {kind: 'search', title: (args) => `List ${text(args['path'], '.')}`},
  search_files: {kind: 'search', title: (args) => `Search for ${JSON.stringify(text(args['pattern'], ''))}`},
  write_file: {kind: 'edit', file: 'path', title: (args) => `Write ${text(args['path'], 'a file')}`},
  patch_file: {kind: 'edit', file: 'path', title: (args) => `Change ${text(args['path'], 'a file')}`},
  run_command: {kind: 'execute', title: (args) => text(args['command'], 'Run a command')},
}

/** What sort of thing a tool does. */
export const toolKind = (builtIn: string | undefined): ToolKind =>
  (builtIn === undefined ? undefined : builtInViews[builtIn]?.kind) ?? 'other'

/** The view of a call in a checkout. */
export const toolView = (call: ShownCall, root: string): ToolView => {
  const view = call.builtIn === undefined ? undefined : builtInViews[call.builtIn]
  if (view === undefined) return {title: call.name, kind: 'other', locations: []}
  const path = view.file === undefined ? undefined : call.arguments[view.file]
  const line = call.arguments['start_line']
  const location =
    typeof path === 'string'
      ? [{path: isAbsolute(path) ? path : join(root, path), ...(typeof line === 'number' ? {line} : {})}]
      : []
  return {title: view.title(call.arguments), kind: view.kind, locations: location}
}
