/** Which calls of a turn the client shows better than by words: by the difference that they make, or by a terminal. */
export interface CallDisplays {
  set(callId: string, display: 'difference' | 'terminal' | undefined): void
  has(callId: string): boolean
  /** The display says more than the words of the result: a terminal always, a difference once it was made. */
  outlives(callId: string, isSuccess: boolean): boolean
}

/** Creates the displays of one turn. Ids are those of the provider; the newest call of an id counts. */
export const createCallDisplays = (): CallDisplays => {
  const displays = new Map<string, 'difference' | 'terminal'>()
  return {
    set(callId, display) {
      if (display === undefined) displays.delete(callId)
      else displays.set(callId, display)
    },
    has: (callId) => displays.has(callId),
    outlives(callId, isSuccess) {
      const display = displays.get(callId)
      return display === 'terminal' || (display === 'difference' && isSuccess)
    },
  }
}
