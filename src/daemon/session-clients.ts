import {JpError} from '../errors/jp-error.js'

/** Who has attached to a session. */
export interface SessionClients {
  /** Attaches one more; gives its id. */
  attach(): string
  /**
   * Proves that a client id, when one was sent, is one of this session's.
   * @throws JpError `invalid_client_id`.
   */
  check(clientId: string | undefined): void
  /** Lets one go; gives whether it was the last one. An id that is unknown, or none, changes nothing. */
  detach(clientId: string | undefined): boolean
  readonly count: number
}

/** Creates the clients of one session. @param newId mints `client_<uuid>`. */
export const createSessionClients = (sessionId: string, newId: () => string): SessionClients => {
  const clients = new Set<string>()
  return {
    attach() {
      const id = newId()
      clients.add(id)
      return id
    },
    check(clientId) {
      if (clientId === undefined || clients.has(clientId)) return
      throw new JpError('invalid_client_id', 'This client id is not attached to the session.', {
        hint: 'Attach again: POST /session/:id/resume gives a client id.',
        details: {sessionId, clientId},
      })
    },
    detach(clientId) {
      if (clientId === undefined || !clients.delete(clientId)) return false
      return clients.size === 0
    },
    get count() {
      return clients.size
    },
  }
}
