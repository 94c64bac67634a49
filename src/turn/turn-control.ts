/** What a frontend can say to a running turn. All of it may be said at any time, from anywhere in the process. */
export interface TurnControl {
  /** Ends the turn and keeps what was received (W27). Only the first call counts. */
  stop(why: StopReason): void
  /** As `stop` by the user, but what is being written is dropped; what is stored already stays (W18). */
  abort(): void
  /** Ends the answer that is being given, keeps what was received of it, and goes on with this message. */
  reply(message: string): void
  /** Ends the tool calls that run now; the model is told `message` as their result. */
  respond(message: string): void
  /** Ends the tool calls that run now and starts them again, with the same arguments. */
  restart(): void
  /** Aborted once the turn must end. */
  readonly signal: AbortSignal
  readonly stopped: StopReason | undefined
  /** The answer that is being written is not kept. */
  readonly drops: boolean
  /** Aborted when the present piece of work (a model call, a round of tools) must end: at `stop`, `reply`, `respond`. */
  workSignal(): AbortSignal
  /** For one attempt of a tool call: aborted with the work that it is a part of, and at `restart`. */
  attemptSignal(work: AbortSignal): AbortSignal
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
  let attempt = new AbortController()
  let drops = false
  let stopped: StopReason | undefined
  let waiting: string | undefined
  let response: string | undefined
  const stop = (why: StopReason): void => {
    stopped ??= why
    whole.abort()
    work.abort()
  }
  return {
    stop,
    abort() {
      drops ||= stopped === undefined
      stop('user')
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
    restart: () => attempt.abort(),
    signal: whole.signal,
    get stopped() {
      return stopped
    },
    get drops() {
      return drops
    },
    workSignal() {
      if (work.signal.aborted && stopped === undefined && waiting === undefined) work = new AbortController()
      return work.signal
    },
    attemptSignal(within) {
      if (attempt.signal.aborted) attempt = new AbortController()
      return AbortSignal.any([within, attempt.signal])
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
