/** What a frontend can say to a running turn. All of it may be said at any time, from anywhere in the process. */
export interface TurnControl {
  /** Ends the turn and keeps what was received (W27). Only the first call counts. */
  stop(why: StopReason): void
  /** Ends the answer that is being given, keeps what was received of it, and goes on with this message. */
  reply(message: string): void
  /** Ends the tool calls that run now; the model is told `message` as their result. */
  respond(message: string): void
  /** Aborted once the turn must end. */
  readonly signal: AbortSignal
  readonly stopped: StopReason | undefined
  /** Aborted when the present piece of work (a model call, a round of tools) must end: at `stop`, `reply`, `respond`. */
  workSignal(): AbortSignal
  /** The message that waits to be sent, taken once. */
  takeReply(): string | undefined
  /** What the running tools are to be answered with, taken once. */
  takeResponse(): string | undefined
}

/** Who ended a turn. */
export type StopReason = 'user' | 'output_closed' | 'terminated'

/** Creates the control of one turn. */
export const createTurnControl = (): TurnControl => {
  const whole = new AbortController()
  let work = new AbortController()
  let stopped: StopReason | undefined
  let waiting: string | undefined
  let response: string | undefined
  return {
    stop(why) {
      stopped ??= why
      whole.abort()
      work.abort()
    },
    reply(message) {
      if (stopped !== undefined) return
      waiting = waiting === undefined ? message : `${waiting}\n\n${message}`
      work.abort()
    },
    respond(message) {
      if (stopped !== undefined) return
      response = message
      work.abort()
    },
    signal: whole.signal,
    get stopped() {
      return stopped
    },
    workSignal() {
      if (work.signal.aborted && stopped === undefined && waiting === undefined) work = new AbortController()
      return work.signal
    },
    takeReply() {
      const message = waiting
      waiting = undefined
      return message
    },
    takeResponse() {
      const message = response
      response = undefined
      return message
    },
  }
}
