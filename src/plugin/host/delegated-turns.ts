import {JpError} from '../../errors/jp-error.js'
import type {ConversationId} from '../../platform/id-grammar.js'
import type {ToPlugin} from '../../protocol/host-to-plugin.js'
import type {ToHostOf} from '../../protocol/plugin-to-host.js'
import {conversationId} from './conversation-requests.js'
import {errorMessage} from './error-message.js'
import type {OpenWorkspace} from './open-workspace.js'
import type {Outbox} from './outbox.js'

/** A turn that is ready to run: its conversation is locked, its model opened. */
export type ReadyTurn = {
  readonly conversation: ConversationId
  readonly isNew: boolean
  /**
   * Runs it to its end. The lock is free when it settles. Gives the structured answer when a schema was asked for.
   * @throws JpError what the turn failed with.
   */
  run(): Promise<{readonly data?: unknown}>
  stop(): void
  /** Interrupts the turn. False when it ended before it took the interrupt. */
  interrupt(how: TurnInterrupt): Promise<boolean>
}

/** `abort` drops the answer that is being given, `stop` keeps it, `reply` keeps it and goes on with another message. */
export type TurnInterrupt = {readonly action: 'stop' | 'abort'} | {readonly action: 'reply'; readonly content: string}

/** Makes a turn ready: takes the lock, checks the record (S27), resolves the configuration, opens the model. */
export type PrepareTurn = (workspace: OpenWorkspace, query: ToHostOf<'query'>) => Promise<ReadyTurn>

/** The turns that a plugin delegated. They outlive their requests and the plugin (S31). */
export interface DelegatedTurns {
  /** Starts a turn. `created`, `query_complete` or a later `error` are sent by itself. */
  start(workspace: OpenWorkspace, query: ToHostOf<'query'>): Promise<undefined>
  interrupt(workspace: OpenWorkspace, message: ToHostOf<'interrupt'>): Promise<undefined>
  /** Stops every turn; each keeps what it has. */
  stopAll(): void
  /** Settles when no turn runs. */
  settled(): Promise<void>
}

/** How many interrupts may wait for one turn. */
const maxWaiting = 8

type Running = {readonly turn: ReadyTurn; waiting: number}

/** Creates the turns of one run of a plugin. */
export const createDelegatedTurns = (prepare: PrepareTurn, outbox: Outbox): DelegatedTurns => {
  const running = new Map<string, Running>()
  const ends = new Set<Promise<void>>()
  let stopped = false

  const runToEnd = async (key: string, {turn}: Running, query: ToHostOf<'query'>): Promise<void> => {
    const answer = await completion(turn, query)
    running.delete(key)
    outbox.send(answer)
  }

  const takeInterrupt = async (entry: Running, how: TurnInterrupt, id: string | undefined): Promise<void> => {
    entry.waiting += 1
    const taken = await entry.turn.interrupt(how)
    entry.waiting -= 1
    if (id === undefined) return
    const answer: ToPlugin = taken
      ? {type: 'done', id}
      : errorMessage({id, request: 'interrupt'}, notRunning(entry.turn.conversation))
    outbox.send(answer)
  }

  return {
    async start(workspace, query) {
      if (query.content.trim() === '') throw new JpError('request_invalid', '"content" must not be empty.')
      if (stopped) throw new JpError('interrupted', 'jp is ending; no new turn is started.')
      const turn = await prepare(workspace, query)
      const key = keyOf(workspace, turn.conversation)
      const entry: Running = {turn, waiting: 0}
      running.set(key, entry)
      const {id} = query
      if (turn.isNew) {
        outbox.send({type: 'created', ...(id === undefined ? {} : {id}), conversation: turn.conversation})
      }
      const end = runToEnd(key, entry, query).finally(() => ends.delete(end))
      ends.add(end)
      // It was being made ready when the stop came.
      if (stopped) turn.stop()
      return undefined
    },
    async interrupt(workspace, message) {
      const id = conversationId(message.conversation)
      const entry = running.get(keyOf(workspace, id))
      if (entry === undefined) throw notRunning(id)
      if (entry.waiting >= maxWaiting) {
        throw new JpError('request_invalid', `${maxWaiting} interrupts wait for the turn of ${id} already.`)
      }
      void takeInterrupt(entry, interruptOf(message), message.id)
      return undefined
    },
    stopAll() {
      stopped = true
      for (const {turn} of running.values()) turn.stop()
    },
    async settled() {
      while (ends.size > 0) await Promise.all(ends)
    },
  }
}

/** Two checkouts of one workspace, and two workspaces, may have conversations with one id (S31). */
const keyOf = ({checkout}: OpenWorkspace, conversation: ConversationId): string =>
  [checkout.id, checkout.root, conversation].join('\n')

const completion = async (turn: ReadyTurn, query: ToHostOf<'query'>): Promise<ToPlugin> => {
  const {id} = query
  try {
    const {data} = await turn.run()
    return {
      type: 'query_complete',
      ...(id === undefined ? {} : {id}),
      conversation: turn.isNew ? turn.conversation : query.conversation,
      ...(query.schema === undefined ? {} : {data: data ?? null}),
    }
  } catch (error) {
    return errorMessage({id, request: 'query'}, error)
  }
}

const interruptOf = ({action, content}: ToHostOf<'interrupt'>): TurnInterrupt => {
  if (action !== 'reply') return {action}
  if (content === undefined || content.trim() === '') {
    throw new JpError('request_invalid', 'A reply needs "content" that is not blank.')
  }
  return {action, content}
}

const notRunning = (id: ConversationId): JpError =>
  new JpError('turn_not_running', `No turn of this plugin runs in ${id}.`)
