import {type Fields, type Jp, type LastRoot, RequestError, type WorkspaceRef} from '../../sdk/src/client.js'

/** A turn that could not run, or broke off: kept until the next one starts, so that a page that was away shows it (FR-58). */
export type Failure = {
  readonly code: string
  readonly message: string
  /** What was to be said, so that nobody types it again. */
  readonly content: string
  /** Where the conversation ran last, when that is why. */
  readonly lastRoot: LastRoot | undefined
}

/** What a turn is about. */
export type Asked = {
  readonly workspace: WorkspaceRef
  readonly content: string
  /** Absent for a new conversation. */
  readonly conversation?: string
  readonly title?: string
  readonly expectedLastRoot?: LastRoot
}

/** The turns that this server delegated to jp. */
export interface Turns {
  /** Starts a turn; settles when it has ended, or at `patienceMs`, whichever is first. Gives the conversation of a new one. */
  start(asked: Asked, patienceMs: number): Promise<string | Failure | undefined>
  /** Says something to the turn that runs: it stops what it does and goes on with that. False when it ended before. */
  reply(workspace: WorkspaceRef, conversation: string, content: string): Promise<boolean>
  /** Stops the turn, if it still runs. */
  stop(workspace: WorkspaceRef, conversation: string): Promise<void>
  failureOf(workspaceId: string, conversation: string): Failure | undefined
  isRunning(workspaceId: string, conversation: string): boolean
}

/** Creates the turns. */
export const createTurns = (jp: Jp): Turns => {
  const failures = new Map<string, Failure>()
  /** The checkout of each turn. */
  const running = new Map<string, {readonly root: string | undefined}>()
  const keyOf = (workspaceId: string, conversation: string): string => `${workspaceId} ${conversation}`

  const run = async (asked: Asked, onCreated: (conversation: string) => void): Promise<Failure | undefined> => {
    const {workspace, content, conversation, title, expectedLastRoot} = asked
    let key = conversation === undefined ? undefined : keyOf(workspace.id, conversation)
    const turn = {root: workspace.root}
    const begin = (of: string): void => {
      key = of
      failures.delete(of)
      running.set(of, turn)
    }
    if (key !== undefined) begin(key)
    const about = conversation === undefined ? {new: true, ...(title === undefined ? {} : {title})} : {conversation}
    const expected = expectedLastRoot === undefined ? {} : {expected_last_root: recordOf(expectedLastRoot)}
    try {
      await jp.query({workspace, content, ...about, ...expected}, (created) => {
        begin(keyOf(workspace.id, created))
        onCreated(created)
      })
      return undefined
    } catch (error) {
      const failure = failureIn(error, content)
      if (key !== undefined) failures.set(key, failure)
      return failure
    } finally {
      // The next turn may have begun before we hear that this one ended.
      if (key !== undefined && running.get(key) === turn) running.delete(key)
    }
  }

  /** False when the turn had ended. */
  const interrupt = async (workspace: WorkspaceRef, conversation: string, fields: Fields): Promise<boolean> => {
    const root = running.get(keyOf(workspace.id, conversation))?.root ?? workspace.root
    const at = root === undefined ? workspace : {...workspace, root}
    try {
      await jp.request('interrupt', {workspace: at, conversation, ...fields})
      return true
    } catch (error) {
      if (error instanceof RequestError && error.code === 'turn_not_running') return false
      throw error
    }
  }

  return {
    start(asked, patienceMs) {
      return new Promise((resolve) => {
        const timer = asked.conversation === undefined ? undefined : setTimeout(() => resolve(undefined), patienceMs)
        void run(asked, resolve).then((failure) => {
          clearTimeout(timer)
          resolve(failure)
        })
      })
    },
    reply: (workspace, conversation, content) => interrupt(workspace, conversation, {action: 'reply', content}),
    async stop(workspace, conversation) {
      await interrupt(workspace, conversation, {action: 'stop'})
    },
    failureOf: (workspaceId, conversation) => failures.get(keyOf(workspaceId, conversation)),
    isRunning: (workspaceId, conversation) => running.has(keyOf(workspaceId, conversation)),
  }
}

/** The record without what is derived of it. */
const recordOf = ({path, last_used}: LastRoot): Fields => ({path, ...(last_used === undefined ? {} : {last_used})})

const failureIn = (error: unknown, content: string): Failure => {
  if (!(error instanceof RequestError)) throw error
  const record = error.fields['last_root']
  const lastRoot = typeof record === 'object' && record !== null ? (record as LastRoot) : undefined
  return {code: error.code, message: error.message, content, lastRoot}
}
