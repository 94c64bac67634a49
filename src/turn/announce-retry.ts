import type {RetryNotice} from '../providers/provider-settings.js'
import type {TurnEvent} from './turn-event.js'

/** A retry of the provider as an event of the turn. */
export const announceRetry = ({reason, retry, delayMs}: RetryNotice): TurnEvent => ({
  type: 'retrying',
  attempt: retry,
  delay_ms: delayMs,
  reason,
})
