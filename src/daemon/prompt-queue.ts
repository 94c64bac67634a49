import {JpError} from '../errors/jp-error.js'

/** What a client sends as a prompt. */
export type PromptRequest = {
  readonly blocks: readonly ContentBlock[]
  readonly clientId: string | undefined
  /** Unit: milliseconds. */
  readonly deadlineMs: number | undefined
}

/** A prompt that was taken. */
export type PromptAccepted = {
  readonly promptId: string
  /** The newest event before this prompt: who reads from here misses nothing of it. */
  readonly lastEventId: number
  readonly eventEpoch: string
}

/** One prompt of a session, waiting or running. */
export type QueuedPrompt = {
  readonly promptId: string
  /** Content blocks of ACP, checked at the edge. */
  readonly blocks: readonly ContentBlock[]
  /** The text of the blocks, for listings. */
  readonly text: string
  readonly queuedAtMs: number
  readonly clientId: string | undefined
  /** Unit: milliseconds. */
  readonly deadlineMs: number | undefined
}

/** A content block of ACP: its type, and whatever belongs to it. */
export type ContentBlock = {readonly type: string; readonly [field: string]: unknown}

/** The text of a prompt's blocks. */
export const textOf = (blocks: readonly ContentBlock[]): string =>
  blocks.map((block) => (typeof block['text'] === 'string' ? block['text'] : '')).join('')

/** The prompts of a session in their order (D17). The first of them may be running. */
export interface PromptQueue {
  readonly running: QueuedPrompt | undefined
  readonly waiting: readonly QueuedPrompt[]
  /** @throws JpError `prompt_queue_full`; the running one counts. */
  add(prompt: QueuedPrompt): void
  /** Makes the first waiting one the running one; undefined when one runs or none waits. */
  startNext(): QueuedPrompt | undefined
  /** The running one is done. */
  finish(): void
  /** Takes a waiting one out. */
  remove(promptId: string): QueuedPrompt | undefined
  /** Takes all waiting ones out. */
  clear(): readonly QueuedPrompt[]
}

/** Creates an empty queue. @param limit how many may be pending, the running one included. */
export const createPromptQueue = (sessionId: string, limit: number): PromptQueue => {
  let running: QueuedPrompt | undefined
  let waiting: readonly QueuedPrompt[] = []
  return {
    get running() {
      return running
    },
    get waiting() {
      return waiting
    },
    add(prompt) {
      const pendingCount = waiting.length + (running === undefined ? 0 : 1)
      if (pendingCount >= limit) {
        throw new JpError('prompt_queue_full', `This session has ${pendingCount} prompts pending already.`, {
          hint: 'Wait for one to end, or remove one: DELETE /session/:id/pending-prompts/:promptId.',
          details: {sessionId, limit, pendingCount},
        })
      }
      waiting = [...waiting, prompt]
    },
    startNext() {
      if (running !== undefined) return undefined
      const [next, ...rest] = waiting
      running = next
      waiting = rest
      return next
    },
    finish() {
      running = undefined
    },
    remove(promptId) {
      const found = waiting.find((prompt) => prompt.promptId === promptId)
      waiting = waiting.filter((prompt) => prompt !== found)
      return found
    },
    clear() {
      const all = waiting
      waiting = []
      return all
    },
  }
}
