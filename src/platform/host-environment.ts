/**
 * What a process was given from outside, as data: read from `process` once, in `cli/`, and handed down.
 * Nothing below `cli/` reads `process.env` or `process.cwd()` (architecture test).
 */
export type HostEnvironment = {
  readonly env: Readonly<Record<string, string | undefined>>
  /** The launch cwd: where the user ran jp. */
  readonly cwd: string
  readonly homeDir: string
  readonly platform: NodeJS.Platform
  readonly pid: number
}

/** A variable's value; empty counts as unset. */
export const variable = (environment: HostEnvironment, name: string): string | undefined =>
  environment.env[name] || undefined
