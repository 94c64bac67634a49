/**
 * The ids under which a client knows the tool calls of one session. Some providers count theirs from zero in every answer;
 * a client needs each once.
 */
export interface ToolCallIds {
  /** A new call with the provider's id; gives the client's. */
  open(id: string): string
  /** The client's id of the newest call with the provider's id. */
  of(id: string): string
}

/** Creates the ids of a session. */
export const createToolCallIds = (): ToolCallIds => {
  const used = new Set<string>()
  const newest = new Map<string, string>()
  return {
    open(id) {
      let own = id
      for (let copy = 2; used.has(own); copy++) own = `${id}_${copy}`
      used.add(own)
      newest.set(id, own)
      return own
    },
    of: (id) => newest.get(id) ?? id,
  }
}
