import {JpError} from '../../errors/jp-error.js'
import type {TurnEnd} from '../../turn/turn-end.js'
import type {Invocation} from '../invocation.js'
import type {QueryOptions} from './query-options.js'

/**
 * Settles how the process ends after a turn (Q2): 0, 130 when it was stopped, 5 when calls were denied.
 * @throws JpError the error that the turn ended with; `tool_denied`.
 */
export const settleTurn = (
  {output, ending}: Invocation,
  end: TurnEnd,
  {id, options, dropped}: {readonly id: string; readonly options: QueryOptions; readonly dropped: boolean},
): void => {
  if (ending.aborted) return
  if (end.error !== undefined) throw end.error
  if (end.outcome === 'stopped') {
    // SIGQUIT has set its own.
    process.exitCode ??= 130
    return output.note(
      dropped ? `Aborted; ${id} keeps what was stored before.` : `Stopped; what came is kept in ${id}.`,
    )
  }
  if (end.denied.length > 0 && !options.allowDenied) throw denied(end)
}

const denied = ({denied: calls}: TurnEnd): JpError => {
  const lines = calls.map(({name, reason}) => `${name}: ${reason}`)
  const [first] = calls
  return new JpError(
    'tool_denied',
    `${calls.length} ${calls.length === 1 ? 'tool call was' : 'tool calls were'} denied:\n${lines.join('\n')}`,
    {
      hint: `Let it run where nobody can be asked: jp config set conversation.tools.${first?.name ?? 'NAME'}.detached=unattended\nOr take denials as they are: jp query --allow-denied …`,
      details: {denied: calls},
    },
  )
}
