import type {HostEnvironment} from '../platform/host-environment.js'
import {formatModelId, type ModelId} from '../platform/model-id.js'
import {createRedactor} from '../platform/redact.js'
import type {Connection} from './connection.js'

/** Whom a call is made to, for the messages of its failures. */
export type CallContext = {
  /** How messages name the provider. */
  readonly title: string
  /** The model id as users write it. */
  readonly model: string
  /** Undefined for a provider without a network. */
  readonly connection: Connection | undefined
  /** Takes the key out of what a server or a library says. */
  readonly redact: (text: string) => string
}

/** The context of calls over a connection. */
export const callContextOf = (id: ModelId, connection: Connection, {env}: HostEnvironment): CallContext => {
  const {key, title} = connection
  const redact = createRedactor(env, key === undefined ? {} : {[key.variable]: key.value})
  return {title, model: formatModelId(id), connection, redact}
}
