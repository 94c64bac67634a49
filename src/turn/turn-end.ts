import {JpError} from '../errors/jp-error.js'
import type {TurnEnded, TurnEndWire} from './turn-event.js'

/** How a turn ended. A failure is told here and never thrown by `runTurn`. */
export type TurnEnd = Omit<TurnEndWire, 'error'> & {readonly error?: JpError}

/** The last event of a turn. */
export const toTurnEnded = ({error, ...end}: TurnEnd): TurnEnded => ({
  type: 'turn_ended',
  ...end,
  ...(error === undefined ? {} : {error: errorBody(error)}),
})

const errorBody = ({code, message, hint}: JpError): NonNullable<TurnEndWire['error']> => ({
  code,
  message,
  ...(hint === undefined ? {} : {hint}),
})

/** Whatever made a turn fail, as the one error class. */
export const toTurnError = (error: unknown): JpError =>
  error instanceof JpError
    ? error
    : new JpError('internal', `The turn broke off: ${error instanceof Error ? error.message : String(error)}`, {
        cause: error,
        hint: 'What came before is stored. Run it again with -vv to see where it broke, and report it.',
      })
