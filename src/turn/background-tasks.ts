import {hasCode} from '../errors/jp-error.js'

/** Work that goes on beside a turn: a title, a summary (S34). */
export type BackgroundTask = {
  readonly name: string
  /** The one place that it may write to. */
  readonly destination: {readonly root: string; readonly conversation: string}
  /** Ends soon after `signal` is aborted. What it finds gone it throws as `conversation_not_found`, `checkout_not_live`. */
  run(signal: AbortSignal): Promise<void>
}

/** A task that has begun. */
export interface RunningTask {
  /** Waits for the task, and cancels it when the time is over. Never rejects. Unit: milliseconds. */
  settle(waitMs: number): Promise<void>
}

/** The background tasks of a process: one handler, one cancellation (S34). */
export interface BackgroundTasks {
  start(task: BackgroundTask): RunningTask
  /** Ends all of them: one Ctrl-C is enough. */
  cancelAll(): void
}

/** How long a task may take to end once it is cancelled. Unit: milliseconds. */
const graceMs = 2000

/** Creates the handler. `warn` is told of a task whose destination is gone, and of one that failed. */
export const createBackgroundTasks = (warn: (text: string) => void): BackgroundTasks => {
  const running = new Set<AbortController>()
  return {
    start(task) {
      const controller = new AbortController()
      running.add(controller)
      const ended = task
        .run(controller.signal)
        .catch((error: unknown) => {
          if (!controller.signal.aborted) warn(failureText(task, error))
        })
        .finally(() => running.delete(controller))
      return {
        async settle(waitMs) {
          if (await endsWithin(ended, waitMs)) return
          controller.abort()
          await endsWithin(ended, graceMs)
        },
      }
    },
    cancelAll() {
      for (const controller of running) controller.abort()
    },
  }
}

const failureText = ({name, destination}: BackgroundTask, error: unknown): string => {
  const {conversation, root} = destination
  if (hasCode(error, 'conversation_not_found'))
    return `The ${name} of ${conversation} was dropped: it is gone from ${root}.`
  if (hasCode(error, 'checkout_not_live')) {
    return `The ${name} of ${conversation} was dropped: the checkout ${root} is gone.`
  }
  return `The ${name} of ${conversation} was dropped: ${error instanceof Error ? error.message : String(error)}`
}

const endsWithin = (ended: Promise<unknown>, ms: number): Promise<boolean> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), ms)
    void ended.then(() => {
      clearTimeout(timer)
      resolve(true)
    })
  })
