import type {TurnSubscriber} from '../../turn/turn-event.js'
import type {Output} from '../output.js'

/** `--format json`: every event of the turn as one JSON value on stdout, in order (Q3). `json-pretty` indents them. */
export const createJsonEvents = (output: Output): TurnSubscriber => {
  const indent = output.format === 'json-pretty' ? 2 : undefined
  return (event) => output.write(`${JSON.stringify(event, undefined, indent)}\n`)
}
