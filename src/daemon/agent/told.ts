import {hasCode, JpError} from '../../errors/jp-error.js'
import type {TurnFailure} from '../turn-teller.js'

/** What the agent failed with, in words that clients may read (D26); any other error as it is. */
export const told = (error: unknown, tellable: (error: unknown) => TurnFailure): unknown => {
  if (!hasCode(error, 'agent_failed')) return error
  const {message, code} = tellable(error)
  return new JpError('agent_failed', message, {cause: error, details: code === undefined ? {} : {agentCode: code}})
}
