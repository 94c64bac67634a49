import {createInterface} from 'node:readline'

/**
 * A client of the plugin protocol of jp, without dependencies: one file, which `jp plugins new` copies into what it makes.
 * The messages are those of docs/reference/plugin-protocol.md.
 */

/** A JSON object of a message. */
export type Fields = Readonly<Record<string, unknown>>

/** Which checkout a request is about: plugins of the scope `multi` name one in each request. */
export type WorkspaceRef = {readonly id: string; readonly root?: string}

/** What jp tells a plugin at its start. */
export type Init = {
  readonly version: number
  /** Of the scope `single` only. */
  readonly workspace?: {readonly root: string; readonly storage: string; readonly id: string}
  readonly paths: {readonly user_data?: string; readonly user_config?: string; readonly user_workspace?: string}
  readonly config?: Fields
  readonly options?: Fields
  /** What the user typed behind the command. */
  readonly args: readonly string[]
  readonly log_level: number
  readonly output_format: 'text' | 'text_pretty' | 'json' | 'json_pretty'
}

/** Where a conversation last ran. */
export type LastRoot = {readonly path: string; readonly last_used?: string; readonly live: boolean}

/** One conversation of a list. */
export type ListedConversation = {
  readonly id: string
  readonly title: string | null
  readonly last_activated_at: string
  readonly pinned_at?: string
  readonly events_count: number
  readonly last_root?: LastRoot
}

/** One workspace with its checkouts. */
export type ListedWorkspace = {
  readonly id: string
  readonly slug: string | null
  readonly launch: boolean
  readonly roots: readonly {readonly path: string; readonly storage: string; readonly last_used: string}[]
}

/** A request that jp refused, or that nobody answers since jp is gone (`gone`). `fields` holds what its code calls for: `roots`, `last_root`. */
export class RequestError extends Error {
  override readonly name = 'RequestError'
  readonly code: string
  readonly fields: Fields

  constructor(fields: Fields) {
    super(String(fields['message']))
    this.code = String(fields['code'])
    this.fields = fields
  }
}

/** The channels of {@link Jp.print}. */
export type Channel = 'content' | 'chrome' | 'tool_call' | 'tool_result' | 'reasoning' | 'error'

/** jp, as a plugin speaks with it. */
export interface Jp {
  readonly init: Init
  /** Aborted when jp asks the plugin to end. */
  readonly shutdown: AbortSignal
  /**
   * Sends a request and gives its answer.
   * @throws RequestError when jp refuses it.
   */
  request(type: string, fields?: Fields): Promise<Fields>
  listConversations(workspace?: WorkspaceRef): Promise<readonly ListedConversation[]>
  readEvents(conversation: string, workspace?: WorkspaceRef): Promise<readonly Fields[]>
  readConfig(path?: string, workspace?: WorkspaceRef): Promise<unknown>
  setTitle(conversation: string, title: string | null, workspace?: WorkspaceRef): Promise<void>
  archive(conversation: string, workspace?: WorkspaceRef): Promise<void>
  /** Of the scope `multi` only. */
  listWorkspaces(): Promise<readonly ListedWorkspace[]>
  /** Runs a turn, and gives its conversation when the turn has ended; `onCreated` is given a new one before its turn starts. */
  query(
    fields: Fields & {readonly content: string},
    onCreated?: (conversation: string) => void,
  ): Promise<{readonly conversation: string; readonly data?: unknown}>
  /** Prints text as it is; no line feed is added. */
  print(text: string, options?: {readonly channel?: Channel; readonly format?: 'plain' | 'markdown' | 'json'}): void
  log(level: 'error' | 'warn' | 'info' | 'debug' | 'trace', message: string, fields?: Fields): void
  /** The last message: jp ends with this code, and prints the reason when it is not 0. */
  exit(code: number, reason?: string): void
}

/** The pipes to jp. */
export type Pipes = {readonly input: NodeJS.ReadableStream; write(line: string): void}

/** A request that is not answered yet. */
type Waiting = {
  resolve(answer: Fields): void
  reject(error: RequestError): void
  readonly onCreated: ((conversation: string) => void) | undefined
}

/** What a plugin says of itself when it is asked. */
export type Description = Fields

/**
 * Begins to speak with jp: waits for its first message and says `ready`.
 * @param protocol the version of the protocol that the plugin needs.
 * @param describe what to answer when jp asks for a description; then `undefined` is given, and there is nothing to do.
 */
export const connect = async (
  protocol: number,
  {
    pipes = ownPipes(),
    describe,
  }: {readonly pipes?: Pipes; readonly describe?: () => Description | Promise<Description>} = {},
): Promise<Jp | undefined> => {
  const waiting = new Map<string, Waiting>()
  const stop = new AbortController()
  const say = (message: Fields): void => pipes.write(`${JSON.stringify(message)}\n`)
  const lines = createInterface({input: pipes.input, crlfDelay: Infinity})
  const first = await new Promise<Fields>((resolve) => {
    let isFirst = true
    lines.on('line', (line) => {
      const message: Fields = JSON.parse(line)
      if (isFirst) {
        isFirst = false
        return resolve(message)
      }
      receive(message)
    })
    lines.on('close', () => {
      stop.abort()
      for (const request of waiting.values())
        request.reject(new RequestError({code: 'gone', message: 'jp is gone, and nobody answers any more.'}))
      waiting.clear()
    })
  })
  const receive = (message: Fields): void => {
    if (message['type'] === 'shutdown') return stop.abort()
    const id = String(message['id'])
    const request = waiting.get(id)
    // A new conversation is told of before its turn ends.
    if (message['type'] === 'created') return request?.onCreated?.(String(message['conversation']))
    waiting.delete(id)
    if (message['type'] === 'error') request?.reject(new RequestError(message))
    else request?.resolve(message)
  }
  if (first['type'] === 'describe') {
    say({type: 'describe', ...(await describe?.())})
    lines.close()
    return undefined
  }
  say({type: 'ready', protocol})
  let requests = 0
  const request = (type: string, fields: Fields = {}, onCreated?: Waiting['onCreated']): Promise<Fields> =>
    new Promise((resolve, reject) => {
      const id = String(++requests)
      waiting.set(id, {resolve, reject, onCreated})
      say({type, id, ...fields})
    })
  const about = (workspace: WorkspaceRef | undefined): Fields => (workspace === undefined ? {} : {workspace})
  const dataOf = async <Data>(answer: Promise<Fields>): Promise<Data> => (await answer)['data'] as Data
  return {
    init: first as unknown as Init,
    shutdown: stop.signal,
    request: (type, fields) => request(type, fields),
    listConversations: (workspace) => dataOf(request('list_conversations', about(workspace))),
    readEvents: (conversation, workspace) => dataOf(request('read_events', {conversation, ...about(workspace)})),
    readConfig: (path, workspace) =>
      dataOf(request('read_config', {...(path === undefined ? {} : {path}), ...about(workspace)})),
    async setTitle(conversation, title, workspace) {
      await request('set_title', {conversation, title, ...about(workspace)})
    },
    async archive(conversation, workspace) {
      await request('archive_conversation', {conversation, ...about(workspace)})
    },
    listWorkspaces: () => dataOf(request('list_workspaces')),
    async query(fields, onCreated) {
      const {conversation, data} = await request('query', fields, onCreated)
      return {conversation: String(conversation), ...(data === undefined ? {} : {data})}
    },
    print: (text, options = {}) => say({type: 'print', text, ...options}),
    log: (level, message, fields) => say({type: 'log', level, message, ...(fields === undefined ? {} : {fields})}),
    exit(code, reason) {
      say({type: 'exit', code, ...(reason === undefined ? {} : {reason})})
      lines.close()
    },
  }
}

const ownPipes = (): Pipes => ({input: process.stdin, write: (line) => void process.stdout.write(line)})
