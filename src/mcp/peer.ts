import type {Transport} from '@modelcontextprotocol/client'
import {type Child, startChild} from '../platform/child-process.js'
import {honourProxies} from '../platform/proxy.js'
import {createRedactor} from '../platform/redact.js'
import {checkSum} from './checksum.js'
import type {ServerRecord} from './leftovers.js'
import {serverError} from './server-error.js'
import type {ServerRequest} from './server-settings.js'
import {keepTail} from './stderr-tail.js'
import {createStdioTransport} from './stdio-transport.js'

/** The other end of a connection: a program of ours, or an address. */
export interface Peer {
  readonly name: string
  readonly transport: Transport
  /** The last lines of its stderr. */
  stderr(): readonly string[]
  /** `exited with code 1`; undefined while it is there. */
  howItEnded(): string | undefined
  /** Something went wrong that no other request may run into: whatever holds the connection counts as ended. */
  doubt(): void
  readonly ended: Promise<void>
  stop(): Promise<void>
  /** Takes the values of the variables that it was given out of a text. */
  redact(text: string): string
}

/** What opening a peer needs of the process. */
export type PeerDeps = {
  /** Something worth a line to the user that is no failure: a banner on stdout (FR-33). */
  readonly onNotice: (text: string) => void
  /** Where running servers are noted (FR-29). */
  readonly record?: ServerRecord | undefined
}

/**
 * Starts the program, or prepares the connection, of a server. The protocol has not begun yet.
 * @throws JpError `mcp_start_failed`, `mcp_checksum_mismatch`.
 */
export const openPeer = (request: ServerRequest, deps: PeerDeps): Promise<Peer> =>
  request.settings.type === 'stdio' ? openProgram(request, deps) : openAddress(request)

/** Of the environment a program gets these and what its configuration names (FR-30). On Windows nothing starts without more. */
const alwaysPassed = ['PATH', 'HOME', 'SYSTEMROOT', 'COMSPEC', 'PATHEXT', 'TEMP', 'TMP', 'USERPROFILE', 'APPDATA']

const openProgram = async (request: ServerRequest, deps: PeerDeps): Promise<Peer> => {
  const {name, settings, env} = request
  checkSum(request)
  const given = settings.variables ?? []
  const {parseJSONRPCMessage} = await import('@modelcontextprotocol/client')
  const child = await startProgram(request, [...alwaysPassed, ...given])
  const redact = createRedactor({}, Object.fromEntries(given.map((variable) => [variable, env[variable] ?? ''])))
  const forget = deps.record?.note(name, child.pid)
  const tail = keepTail(child.stderr, redact)
  let ended: string | undefined
  const noticed = new Set<string>()
  const transport = createStdioTransport(child, parseJSONRPCMessage, {
    notMessage: (line, number) => {
      const text = `MCP server "${name}" wrote line ${number}, which is no message: ${JSON.stringify(redact(line.slice(0, 200)))}`
      // One is enough to know what is wrong; a server that logs to stdout would say it at every call.
      if (noticed.size === 0) deps.onNotice(`${text}. It was passed over. Its logs belong on stderr.`)
      noticed.add(text)
    },
    ended: () => forget?.(),
  })
  const exited = child.exited.then((exit) => {
    ended = 'code' in exit ? `exited with code ${exit.code}` : `was ended by ${exit.signal}`
  })
  return {
    name,
    transport,
    redact,
    stderr: () => tail.lines(),
    howItEnded: () => ended,
    doubt: () => undefined,
    ended: exited,
    stop: () => transport.close(),
  }
}

const startProgram = async (request: ServerRequest, variables: readonly string[]): Promise<Child> => {
  const {name, settings, spawnDir, env} = request
  try {
    return await startChild({
      command: settings.command ?? '',
      args: settings.arguments ?? [],
      cwd: spawnDir,
      env: Object.fromEntries(variables.map((variable) => [variable, env[variable]])),
      stdin: 'pipe',
    })
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/\.$/, '') : String(error)
    throw serverError('mcp_start_failed', name, {
      says: `did not start: ${reason}`,
      hint: `Check providers.mcp.${name}.command: jp config show providers.mcp.${name}`,
      cause: error,
    })
  }
}

const openAddress = async ({name, settings, env}: ServerRequest): Promise<Peer> => {
  const {StreamableHTTPClientTransport} = await import('@modelcontextprotocol/client')
  const variable = settings.bearer_token_env
  const token = variable === undefined ? undefined : env[variable] || undefined
  if (variable !== undefined && token === undefined) {
    throw serverError('mcp_start_failed', name, {
      says: `wants a token: ${variable} is not set`,
      hint: `export ${variable}=…`,
    })
  }
  const url = URL.canParse(settings.url ?? '') ? new URL(settings.url ?? '') : undefined
  if (url === undefined)
    throw serverError('mcp_start_failed', name, {says: `has no URL: "${settings.url ?? ''}" is none`})
  const headers = Object.fromEntries(
    Object.entries(settings.header_envs ?? {}).map(([header, holder]) => [header, env[holder] ?? '']),
  )
  await honourProxies({env})
  const transport = new StreamableHTTPClientTransport(url, {
    requestInit: {headers: {...headers, ...(token === undefined ? {} : {authorization: `Bearer ${token}`})}},
  })
  let end = (): void => undefined
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  return {
    name,
    transport,
    redact: createRedactor({}, {...headers, ...(variable === undefined ? {} : {[variable]: token ?? ''})}),
    stderr: () => [],
    howItEnded: () => undefined,
    doubt: end,
    ended,
    stop: async () => {
      end()
      await transport.terminateSession().catch(() => undefined)
      await transport.close()
    },
  }
}
