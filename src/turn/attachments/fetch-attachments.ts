import {isAbsolute, relative} from 'node:path'
import type {Configuration} from '../../config/schema.js'
import type {Conversation} from '../../conversation/conversation.js'
import {hasCode, JpError} from '../../errors/jp-error.js'
import type {McpResource} from '../../mcp/instance.js'
import type {Lease, McpPool} from '../../mcp/pool.js'
import {resolveInside} from '../../platform/contained-path.js'
import {decodeText} from '../../platform/decode-text.js'
import {parseConversationId} from '../../platform/id-grammar.js'
import {honourProxies} from '../../platform/proxy.js'
import {splitCommand} from '../tools/command-words.js'
import {runCommand} from '../tools/run-command.js'
import type {AttachmentContent} from './attachment-content.js'
import {pathsOf, readAttachedFile} from './attachment-files.js'
import {type AttachmentSpec, parseAttachment} from './attachment-spec.js'
import {conversationText} from './conversation-text.js'

/** What attachments are fetched with. */
export type AttachmentDeps = {
  /** The checkout: relative paths are meant from here, and commands run here. */
  readonly root: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly servers: Configuration['providers']['mcp']
  readonly pool: (() => Promise<McpPool>) | undefined
  /** Those that the user named for this turn: they may lie anywhere. */
  readonly named: ReadonlySet<string>
  readonly readConversation: (id: NonNullable<ReturnType<typeof parseConversationId>>) => Conversation
  readonly signal: AbortSignal
}

/** What came of all attachments. */
export type Fetched = {
  readonly contents: readonly AttachmentContent[]
  /** Those that could not be had, as they were written. */
  readonly failed: readonly {readonly written: string; readonly error: JpError}[]
}

/** How long an address or a command may take, and how much an address may give. */
const patienceMs = 30_000
const maxFetchedBytes = 5 * 1024 * 1024

/** Fetches every attachment of a configuration (W34), in order, each file once. Never throws for one that can't be had. */
export const fetchAttachments = async (
  attachments: Configuration['conversation']['attachments'],
  deps: AttachmentDeps,
): Promise<Fetched> => {
  const contents = new Map<string, AttachmentContent>()
  const failed: {written: string; error: JpError}[] = []
  for (const attachment of attachments) {
    const written = typeof attachment === 'string' ? attachment : `${attachment.type}:${attachment.path}`
    try {
      const spec = parseAttachment(attachment)
      if (spec.excludes) for (const path of pathsOf(spec.target, deps.root)) contents.delete(path)
      else for (const [key, content] of await fetchOne(spec, deps)) contents.set(key, content)
    } catch (error) {
      if (!(error instanceof JpError)) throw error
      failed.push({written, error})
    }
  }
  return {contents: [...contents.values()], failed}
}

type Keyed = readonly (readonly [key: string, content: AttachmentContent])[]

const fetchOne = async (spec: AttachmentSpec, deps: AttachmentDeps): Promise<Keyed> => {
  const {written, target} = spec
  switch (spec.scheme) {
    case 'file': {
      const paths = pathsOf(target, deps.root)
      if (paths.length === 0) throw unavailable(written, 'there is no such file')
      // A link in the checkout must not lead a stored attachment out of it (W32).
      if (!deps.named.has(written) && !isAbsolute(target)) {
        for (const path of paths) resolveInside(deps.root, relative(deps.root, path))
      }
      return paths.map((path) => [path, readAttachedFile(path, deps.root)])
    }
    case 'cmd':
      return [[written, {name: written, text: await outputOf(written, target, deps)}]]
    case 'http':
      return [[written, {name: written, text: await download(target, deps)}]]
    case 'jp':
      return [[written, {name: written, text: conversationOf(written, target, deps)}]]
    case 'mcp':
      return readResources(written, target, deps)
  }
}

const outputOf = async (written: string, line: string, {root, env, signal}: AttachmentDeps): Promise<string> => {
  const [command = '', ...args] = splitCommand(line)
  const end = await runCommand({command, args, cwd: root, env}, signal, {timeoutMs: patienceMs})
  if (end.failure !== undefined) throw unavailable(written, `${end.failure} ${end.stderr.trim()}`.trim())
  return end.stdout
}

const download = async (address: string, {env, signal}: AttachmentDeps): Promise<string> => {
  await honourProxies({env})
  try {
    const response = await fetch(address, {signal: AbortSignal.any([signal, AbortSignal.timeout(patienceMs)])})
    if (!response.ok) throw unavailable(address, `HTTP ${response.status}`)
    return decodeText(await bodyOf(response, address)).text
  } catch (error) {
    if (error instanceof JpError) throw error
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    throw unavailable(address, cause instanceof Error ? cause.message : String(cause), error)
  }
}

const bodyOf = async (response: Response, address: string): Promise<Buffer> => {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > maxFetchedBytes) throw unavailable(address, `it is larger than ${maxFetchedBytes / 1024 / 1024} MB`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const conversationOf = (written: string, target: string, {readConversation}: AttachmentDeps): string => {
  const id = parseConversationId(target.replace(/[/?].*$/, ''))
  if (id === undefined) throw unavailable(written, 'it names no conversation')
  return conversationText(readConversation(id))
}

const readResources = async (written: string, target: string, deps: AttachmentDeps): Promise<Keyed> => {
  const [, name = '', uri = ''] = /^([^:]+):(?:\/\/)?(.*)$/.exec(target) ?? []
  const settings = Object.hasOwn(deps.servers, name) ? deps.servers[name] : undefined
  if (settings === undefined || deps.pool === undefined) throw unavailable(written, `there is no MCP server "${name}"`)
  const pool = await deps.pool()
  const lease = await pool.lease([{name, settings, spawnDir: deps.root, env: deps.env}], {signal: deps.signal})
  try {
    const resources = (await readResource(written, uri, {lease, signal: deps.signal})) ?? []
    return resources.map((resource, index) => {
      const content = 'text' in resource ? {text: resource.text} : blobContent(resource.mimeType, resource.blob)
      return [`${written}#${index}`, {name: resource.uri, ...content}]
    })
  } finally {
    lease.release()
  }
}

const readResource = async (
  written: string,
  uri: string,
  {lease, signal}: {readonly lease: Lease; readonly signal: AbortSignal},
): Promise<readonly McpResource[] | undefined> => {
  try {
    return await lease.servers[0]?.instance.readResource(uri, signal)
  } catch (error) {
    if (!hasCode(error, 'mcp_failed')) throw error
    throw unavailable(written, error.message.replace(/\.$/, ''), error)
  }
}

const blobContent = (mediaType: string | undefined, blob: string) => ({
  mediaType: mediaType ?? 'application/octet-stream',
  bytes: Buffer.from(blob, 'base64'),
})

const unavailable = (written: string, reason: string, cause?: unknown): JpError =>
  new JpError('attachment_unavailable', `Can't attach ${written}: ${reason}.`, {cause})
