import {JpError} from '../errors/jp-error.js'

/** The flags of `jp serve` as they were typed, whoever parsed them (D2). */
export type ServeFlags = {
  readonly port?: string | undefined
  readonly hostname?: string | undefined
  readonly token?: string | undefined
  readonly 'token-file'?: string | undefined
  readonly 'no-auth'?: boolean | undefined
  readonly 'require-auth'?: boolean | undefined
  readonly 'max-sessions'?: string | undefined
  readonly 'max-total-sessions'?: string | undefined
  readonly 'max-pending-prompts'?: string | undefined
  readonly 'event-ring-size'?: string | undefined
  readonly 'max-connections'?: string | undefined
  readonly agent?: string | undefined
}

/** The flags, checked. */
export type ServeOptions = {
  readonly port: number
  readonly hostname: string
  readonly token: string | undefined
  readonly tokenFile: string | undefined
  readonly noAuth: boolean
  readonly requireAuth: boolean
  /** Undefined: no cap. */
  readonly maxSessions: number | undefined
  readonly maxTotalSessions: number | undefined
  readonly maxPendingPrompts: number
  readonly eventRingSize: number
  /** How many sockets may be open; undefined: no cap. */
  readonly maxConnections: number | undefined
  /** An ACP agent in place of jp's own: a command with its arguments. */
  readonly agent: string | undefined
}

const valueFlags = [
  'port',
  'hostname',
  'token',
  'token-file',
  'max-sessions',
  'max-total-sessions',
  'max-pending-prompts',
  'event-ring-size',
  'max-connections',
  'agent',
] as const

const switches = ['no-auth', 'require-auth'] as const

/**
 * The fast path (D2): reads the flags without the parser of oclif. Undefined for whatever is not plainly `--name value`,
 * `--name=value` or a switch, each at most once: then the full parser decides, and says what is wrong.
 */
export const readServeFlags = (argv: readonly string[]): ServeFlags | undefined => {
  const flags: Record<string, string | boolean> = {}
  for (let at = 0; at < argv.length; at++) {
    const token = argv[at] ?? ''
    const equals = token.indexOf('=')
    const name = token.slice(2, equals === -1 ? undefined : equals)
    if (!token.startsWith('--') || Object.hasOwn(flags, name)) return undefined
    if (switches.some((known) => known === name)) {
      if (equals !== -1) return undefined
      flags[name] = true
    } else if (valueFlags.some((known) => known === name)) {
      const value = equals === -1 ? argv[++at] : token.slice(equals + 1)
      if (value === undefined || (equals === -1 && value.startsWith('-'))) return undefined
      flags[name] = value
    } else return undefined
  }
  return flags
}

/** @throws JpError `usage` for numbers that are none, and for flags that contradict each other. */
export const serveOptions = (flags: ServeFlags): ServeOptions => {
  const noAuth = flags['no-auth'] ?? false
  const requireAuth = flags['require-auth'] ?? false
  if (noAuth && requireAuth) throw new JpError('usage', '--no-auth and --require-auth exclude each other.')
  if (noAuth && (flags.token !== undefined || flags['token-file'] !== undefined)) {
    throw new JpError('usage', '--no-auth and a token exclude each other.')
  }
  if (flags.token !== undefined && flags['token-file'] !== undefined) {
    throw new JpError('usage', '--token and --token-file exclude each other.')
  }
  return {
    port: whole('--port', flags.port, {least: 0, most: 65_535}) ?? 4170,
    hostname: flags.hostname ?? '127.0.0.1',
    token: flags.token,
    tokenFile: flags['token-file'],
    noAuth,
    requireAuth,
    maxSessions: cap(whole('--max-sessions', flags['max-sessions'], {least: 0, most: 100_000}) ?? 32),
    maxTotalSessions: cap(whole('--max-total-sessions', flags['max-total-sessions'], {least: 0, most: 100_000})),
    maxPendingPrompts: whole('--max-pending-prompts', flags['max-pending-prompts'], {least: 1, most: 1000}) ?? 5,
    eventRingSize: whole('--event-ring-size', flags['event-ring-size'], {least: 1, most: 1_000_000}) ?? 8000,
    maxConnections: cap(whole('--max-connections', flags['max-connections'], {least: 0, most: 100_000}) ?? 256),
    agent: flags.agent,
  }
}

/** 0 is no cap. */
const cap = (number: number | undefined): number | undefined => (number === 0 ? undefined : number)

const whole = (
  flag: string,
  text: string | undefined,
  {least, most}: {readonly least: number; readonly most: number},
): number | undefined => {
  if (text === undefined) return undefined
  const number = /^\d{1,7}$/.test(text) ? Number(text) : Number.NaN
  if (number >= least && number <= most) return number
  throw new JpError('usage', `${flag} must be a whole number from ${least} to ${most}, not "${text}".`)
}
