import {RequestError} from '@agentclientprotocol/sdk'
import {catalogue, type ErrorKind} from '../errors/catalogue.js'
import {JpError} from '../errors/jp-error.js'
import type {Redact} from '../platform/redact.js'

/** The JSON-RPC code of each kind. -32002 is the protocol's own `Resource not found`. */
const rpcCodes = {
  failed: -32603,
  usage: -32602,
  not_found: -32002,
  conflict: -32603,
  denied: -32603,
  unavailable: -32603,
  broken_peer: -32603,
  corrupt: -32603,
  interrupted: -32603,
} as const satisfies Record<ErrorKind, number>

/**
 * Any thrown value as the protocol tells it: the message and the hint for people, `data` for programs, secrets taken out.
 * What is no {@link JpError} is told in brief.
 */
export const toRpcError = (error: unknown, redact: Redact): RequestError => {
  if (error instanceof RequestError) return error
  if (!(error instanceof JpError)) {
    return new RequestError(-32603, 'Something went wrong inside jp.', {code: 'internal'})
  }
  const {code, hint, details} = error
  const message = redact(error.message)
  const told = hint === undefined ? message : `${message}\n${redact(hint)}`
  return new RequestError(rpcCodes[catalogue[code]], told, {
    code,
    message,
    ...(hint === undefined ? {} : {hint: redact(hint)}),
    ...details,
  })
}
