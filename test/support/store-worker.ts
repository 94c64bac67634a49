/**
 * A process of its own with a conversation store: reads one JSON request a line from stdin, answers one line each. For
 * tests that need two processes on one store, and processes to kill.
 */
import {createInterface} from 'node:readline'
import {locksDirectory} from '../../src/conversation/conversation-locks.js'
import {conversationRoots} from '../../src/conversation/conversation-roots.js'
import {importAll} from '../../src/conversation/importing.js'
import {createConversationStore} from '../../src/conversation/store.js'
import {tidyAfterDead} from '../../src/conversation/tidy.js'
import {JpError} from '../../src/errors/jp-error.js'
import {type ConversationId, parseConversationId, parseSessionKey} from '../../src/platform/id-grammar.js'
import {recordActivation} from '../../src/session/conversation-history.js'
import type {WorkerAnswer, WorkerRequest} from './store-process.js'

const [, , root = '', silo = ''] = process.argv
let now = Date.UTC(2026, 8, 1)
const clock = {nowMs: () => now}
const store = createConversationStore({root, silo, clock, pid: process.pid, isLive: () => true})

const idOf = (text: string): ConversationId => {
  const id = parseConversationId(text)
  if (id === undefined) throw new TypeError(text)
  return id
}

const append = (id: string, content: string): void => {
  const held = store.lock(idOf(id))
  try {
    held.append([{type: 'turn_start'}, {type: 'chat_request', content}])
    held.recordRoot(root)
  } finally {
    held.release()
  }
}

const change = (id: string, archived: boolean, act: (held: ReturnType<typeof store.lock>) => void): void => {
  const held = store.lock(idOf(id), {archived})
  try {
    act(held)
  } finally {
    held.release()
  }
}

const contents = (id: ConversationId): readonly string[] =>
  store.read(id).events.flatMap(({known}) => (known?.type === 'chat_request' ? [known.content] : []))

/** Locks that were asked to be held until the process dies. */
const held: unknown[] = []

const use = async (key: string, ids: readonly string[]): Promise<void> => {
  const session = {key: parseSessionKey(key) ?? fail(key), id: key, source: {type: 'env', key: 'JP_SESSION'}}
  for (const id of ids) await recordActivation({silo, clock, pid: process.pid}, session, idOf(id))
}

const fail = (text: string): never => {
  throw new TypeError(text)
}

const act = (request: WorkerRequest): unknown => {
  switch (request.act) {
    case 'create': {
      now = request.nowMs
      const held = store.create({title: request.title, local: request.local})
      held.append([{type: 'turn_start'}, {type: 'chat_request', content: request.content}])
      held.release()
      return held.id
    }
    case 'append':
      return append(request.id, request.content)
    case 'title':
      return change(request.id, false, (held) => held.changeMetadata({title: request.title}))
    case 'local':
      return change(request.id, false, (held) => held.setLocal(request.local))
    case 'archive':
      now = request.nowMs
      return change(request.id, true, (held) => held.setArchived(request.archived))
    case 'remove':
      return store.remove(idOf(request.id), undefined)
    case 'hold':
      held.push(store.lock(idOf(request.id)))
      return process.pid
    case 'use':
      return use(request.session, request.ids)
    case 'load':
      tidyAfterDead(conversationRoots(root, silo), locksDirectory(root, silo), {pid: process.pid, acquired_at: ''})
      return importAll(conversationRoots(root, silo))
    case 'view':
      return [false, true].flatMap((archived) =>
        store.list({archived}).entries.map((entry) => ({
          id: entry.id,
          title: entry.listed.title,
          count: entry.listed.events_count,
          archived,
          presence: entry.presence,
          contents: contents(entry.id),
        })),
      )
  }
}

const answer = async (line: string): Promise<WorkerAnswer> => {
  try {
    return {value: await act(JSON.parse(line) as WorkerRequest)}
  } catch (error) {
    if (error instanceof JpError) return {code: error.code, message: error.message}
    return {code: 'crash', message: error instanceof Error ? (error.stack ?? error.message) : String(error)}
  }
}

for await (const line of createInterface({input: process.stdin}))
  process.stdout.write(`${JSON.stringify(await answer(line))}\n`)
