/** One `providers.mcp.<name>` table, in the spelling of the configuration. */
export type McpServerSettings = {
  /** `stdio` starts a program, `http` connects to an address. */
  readonly type: 'stdio' | 'http'
  readonly command?: string | undefined
  readonly arguments?: readonly string[] | undefined
  /** Names of the environment variables that a program gets beside PATH and HOME (FR-30). */
  readonly variables?: readonly string[] | undefined
  readonly url?: string | undefined
  /** The variable that holds the token of an `http` server. */
  readonly bearer_token_env?: string | undefined
  /** Headers for an `http` server, each with the name of the variable that holds its value. */
  readonly header_envs?: Readonly<Record<string, string>> | undefined
  /** The sum that the program's file must have. */
  readonly checksum?: {readonly algorithm?: 'sha256' | 'sha1' | undefined; readonly value: string} | undefined
  /** When it does not start, the turn goes on without it. */
  readonly optional?: boolean | undefined
  readonly startup_timeout_secs?: number | undefined
}

/** A server that a turn wants, and where. */
export type ServerRequest = {
  readonly name: string
  readonly settings: McpServerSettings
  /** The root of the checkout: the directory that the program is started in. */
  readonly spawnDir: string
  /** The environment of that checkout. */
  readonly env: Readonly<Record<string, string | undefined>>
}
