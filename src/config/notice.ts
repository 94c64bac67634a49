import type {ErrorCode} from '../errors/catalogue.js'

/** Something about configuration that does not stop a command, to be said once on stderr and in `--explain`. */
export type Notice = {
  readonly kind: 'unknown_key' | 'shadowed' | 'missing' | 'untrusted' | 'never_from_checkout' | 'stored'
  /** What there is to say: whole sentences. */
  readonly text: string
}

/** The codes of a configuration that can't be used; each ends a command that needs it. */
export const configErrorCodes = [
  'config_malformed',
  'config_invalid',
  'config_key_unknown',
  'config_value_invalid',
] as const satisfies readonly ErrorCode[]
