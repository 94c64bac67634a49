import type {TurnEvent} from '../../turn/turn-event.js'

/** Replies that a turn has been given and has not stored yet. */
export interface Replies {
  /** True once the turn has taken the reply, false when it ends before. */
  expect(content: string): Promise<boolean>
  watch(event: TurnEvent): void
  end(): void
}

/** Creates the replies of one turn. A turn stores what it takes: several at once as one request. */
export const createReplies = (): Replies => {
  const waiting = new Map<(taken: boolean) => void, string>()
  return {
    expect: (content) => new Promise((resolve) => waiting.set(resolve, content)),
    watch(event) {
      if (event.type !== 'event' || event.event.type !== 'chat_request') return
      const {content: stored} = event.event
      for (const [resolve, content] of waiting) {
        if (typeof stored !== 'string' || !stored.includes(content)) continue
        waiting.delete(resolve)
        resolve(true)
      }
    },
    end() {
      for (const resolve of waiting.keys()) resolve(false)
      waiting.clear()
    },
  }
}
