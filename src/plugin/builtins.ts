/** What routing must know of the built-in commands. */
export interface BuiltIns {
  /** True when this path of words is a built-in command, a group of some, or another word for one. */
  isTaken(words: readonly string[]): boolean
}

/** The built-in groups that plugins may add a child to (P6). */
export const extensibleGroups: ReadonlySet<string> = new Set(['serve', 'conversation', 'workspace'])

/** Why a claim can never be reached, or undefined when it can: built-ins win, and only some groups are open (P6). */
export const unreachableClaim = (claim: readonly string[], builtIns: BuiltIns): string | undefined => {
  for (let length = 1; length <= claim.length; length++) {
    const words = claim.slice(0, length)
    if (!builtIns.isTaken(words)) return undefined
    const open = length < claim.length && extensibleGroups.has(words.join(' '))
    if (!open) return `"jp ${words.join(' ')}" is a built-in command`
  }
  return undefined
}
