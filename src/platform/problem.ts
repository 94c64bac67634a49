/**
 * How grave a problem is: `damage` is bytes that can't be read as what they should be, `fault` is what a run would fail
 * for, `note` is a left-over or a remark that stops nothing.
 */
export type Gravity = 'damage' | 'fault' | 'note'

/** What became of a problem: put right, or left because it is in use. */
export type FixOutcome = 'fixed' | 'in_use'

/** One thing that is not as it should be, as `jp doctor` finds it (Q9). */
export type Problem = {
  readonly code: string
  readonly gravity: Gravity
  /** The conversation or the plugin that it is about. */
  readonly id?: string
  /** Where it is: a file, a folder, an address, a setting. */
  readonly path: string
  readonly reason: string
  /** What a fix does; without one what the person can do, as a command where there is one. */
  readonly advice: string
  /** Puts it right. Absent: only a person can. Throws as its parts do. */
  fix?(this: void): FixOutcome | Promise<FixOutcome>
}
