import {cpSync, mkdirSync, readdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {type ConversationStore, createConversationStore, type StoreDeps} from '../../src/conversation/store.js'
import {repository} from './jp.js'

/** Our own conversations of each legacy shape (facts 2.6). */
export const conversationFixtures = join(repository, 'test', 'fixtures', 'conversations')

/** The names of the fixtures; their ids are made from their place in this list. */
export const fixtureNames = readdirSync(conversationFixtures).sort()

/** Copies every fixture into a checkout as `<id>-<name>`; `no-turn-start` goes to the archive. Gives the ids by name. */
export const plantFixtures = (root: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    fixtureNames.map((name, index) => {
      const shelf = name === 'no-turn-start' ? '.archive' : '.'
      const digits = 17750000000 + index
      cpSync(join(conversationFixtures, name), join(root, '.jp', 'conversations', shelf, `${digits}-${name}`), {
        recursive: true,
        preserveTimestamps: true,
      })
      return [name, `jp-c${digits}`]
    }),
  )

/** A clock that a test turns. */
export const createTestClock = (startMs: number) => {
  let now = startMs
  return {
    nowMs: () => now,
    advance(ms: number) {
      now += ms
    },
  }
}

/** A store with a stopped clock, in which every checkout is there. */
export const openTestStore = (deps: Partial<StoreDeps> & Pick<StoreDeps, 'root' | 'silo'>): ConversationStore =>
  createConversationStore({
    clock: createTestClock(Date.UTC(2026, 8, 1, 8)),
    pid: process.pid,
    isLive: () => true,
    ...deps,
  })

/** Writes a small conversation into a folder; gives the folder. */
export const writeConversation = (
  shelf: string,
  name: string,
  content: {readonly title?: string; readonly events?: readonly object[]; readonly lastActivatedAt?: string} = {},
): string => {
  const directory = join(shelf, name)
  mkdirSync(directory, {recursive: true})
  const at = '2026-09-01 08:00:00.0'
  const events = content.events ?? [
    {timestamp: at, type: 'turn_start'},
    {timestamp: at, type: 'chat_request', content: 'hi'},
    {timestamp: at, type: 'chat_response', message: 'hello'},
  ]
  const metadata = {
    ...(content.title === undefined ? {} : {title: content.title}),
    last_activated_at: content.lastActivatedAt ?? at,
  }
  writeFileSync(join(directory, 'metadata.json'), `${JSON.stringify(metadata, undefined, 2)}\n`)
  writeFileSync(join(directory, 'base_config.json'), '{}\n')
  writeFileSync(join(directory, 'events.json'), `${JSON.stringify(events, undefined, 2)}\n`)
  return directory
}
