import {JpError} from '../errors/jp-error.js'

/** What the agent offers to choose from. */
export type PermissionOption = {readonly optionId: string; readonly name: string; readonly kind: string}

/** The answer to a permission request, as ACP spells it. */
export type PermissionOutcome =
  | {readonly outcome: 'selected'; readonly optionId: string}
  | {readonly outcome: 'cancelled'}

/** A permission request that waits for its answer. */
export type PendingPermission = {
  readonly requestId: string
  readonly toolCall: Readonly<Record<string, unknown>>
  readonly options: readonly PermissionOption[]
  readonly createdAtMs: number
  /** The id of the event that told of it. */
  readonly eventId: number
}

/** The permission requests of one session (D18): the first answer wins. */
export interface Permissions {
  readonly pending: readonly PendingPermission[]
  /** Waits for an answer. */
  ask(request: PendingPermission): Promise<PermissionOutcome>
  /** The request, which still waits. @throws JpError `permission_not_pending`. */
  get(requestId: string): PendingPermission
  /** @throws JpError `permission_not_pending`, `invalid_option_id`. */
  answer(requestId: string, outcome: PermissionOutcome): void
  /** Takes every waiting request out and answers it as cancelled; gives them. */
  cancelAll(): readonly PendingPermission[]
}

/** Creates the table of one session. */
export const createPermissions = (sessionId: string): Permissions => {
  const waiting = new Map<string, {request: PendingPermission; settle: (outcome: PermissionOutcome) => void}>()
  const find = (requestId: string) => {
    const found = waiting.get(requestId)
    if (found !== undefined) return found
    throw new JpError('permission_not_pending', 'No pending permission request for session.', {
      details: {sessionId, requestId},
    })
  }
  return {
    get pending() {
      return [...waiting.values()].map(({request}) => request)
    },
    ask: (request) => new Promise((settle) => waiting.set(request.requestId, {request, settle})),
    get: (requestId) => find(requestId).request,
    answer(requestId, outcome) {
      const {request, settle} = find(requestId)
      if (outcome.outcome === 'selected' && !request.options.some(({optionId}) => optionId === outcome.optionId)) {
        throw new JpError('invalid_option_id', 'The request does not offer this option.', {
          details: {sessionId, requestId, optionId: outcome.optionId},
        })
      }
      waiting.delete(requestId)
      settle(outcome)
    },
    cancelAll() {
      const all = [...waiting.values()]
      waiting.clear()
      for (const {settle} of all) settle({outcome: 'cancelled'})
      return all.map(({request}) => request)
    },
  }
}
