import {openConversations} from '../bootstrap/open-conversations.js'
import type {SessionId} from '../conversation/session-id.js'
import type {ConversationStore} from '../conversation/store.js'
import {JpError} from '../errors/jp-error.js'
import type {Clock} from '../platform/clock.js'
import type {UserDirectories} from '../platform/directories.js'
import type {HostEnvironment} from '../platform/host-environment.js'
import type {Trace} from '../platform/trace.js'
import type {Checkout} from '../workspace/checkout.js'
import {findSilo, slugOf} from '../workspace/silo.js'
import {createForeignShelf} from './foreign-shelf.js'
import {createOwnSessions} from './own-sessions.js'
import {createOwnShelf} from './own-shelf.js'
import {workspaceIdOf} from './registry.js'
import type {SessionEvent} from './session-event.js'
import {createSessionIndex, indexFileOf} from './session-index.js'
import type {SessionShelf} from './session-shelf.js'
import type {StoredSessions} from './stored-sessions.js'
import type {AgentCommand} from './workspace-settings.js'

/** Where the sessions of a runtime are stored, and what can be done with them there. */
export type SessionStorage = {readonly stored: StoredSessions; readonly shelf: () => Promise<SessionShelf>}

/** Whose sessions they are. */
export type StoragePlace = {readonly checkout: Checkout; readonly ownsUnrecorded: boolean}

/** What storage stands on. */
export type StorageDeps = {
  readonly directories: UserDirectories
  readonly clock: Clock
  readonly environment: HostEnvironment
  readonly log: Trace
  /** All that a live session of the runtime has told since it began; undefined when that is not held. */
  readonly historyOf: (id: SessionId) => readonly SessionEvent[] | undefined
}

/**
 * Creates the storage of a runtime. Where sessions are stored depends on whose agent it is, and that stands in the
 * settings of the workspace; so it is looked up at each use.
 * @param agentOf the agent that is not jp's own, if it is one.
 */
export const createSessionStorage = (
  {checkout, ownsUnrecorded}: StoragePlace,
  {directories, clock, environment, log, historyOf}: StorageDeps,
  agentOf: () => Promise<AgentCommand | undefined>,
): SessionStorage => {
  const openStore = (): ConversationStore => {
    const silo = findSilo(directories.data, checkout.id, slugOf(checkout.root))
    return openConversations({checkout, silo}, {clock, directories, environment})
  }
  const own = {
    stored: createOwnSessions({checkout, openStore, ownsUnrecorded}),
    shelf: createOwnShelf({checkout, openStore, clock}),
  }
  const current = async (): Promise<{stored: StoredSessions; shelf: SessionShelf}> => {
    const agent = await agentOf()
    if (agent === undefined) return own
    const file = indexFileOf(directories.data, workspaceIdOf(checkout.root), agent)
    const index = createSessionIndex(file, checkout.root)
    return {stored: index, shelf: createForeignShelf({index, clock, historyOf})}
  }
  return {
    stored: {
      list: async (archived) => (await current()).stored.list(archived),
      find: async (id) => (await current()).stored.find(id),
      remember(session) {
        const fail = (error: unknown): void =>
          log.write('error', 'sessions', `the session is not remembered: ${String(error)}`)
        void current()
          .then(({stored}) => stored.remember(session))
          .catch(fail)
      },
    },
    shelf: async () => (await current()).shelf,
  }
}

/** An untrusted workspace lists live sessions only, and has none (D9): nothing of it is read. */
export const noStorage: SessionStorage = {
  stored: {
    list: async () => [],
    find: async () => undefined,
    remember: () => undefined,
  },
  shelf: () => Promise.reject(new JpError('untrusted_workspace', 'Workspace is not trusted.')),
}
