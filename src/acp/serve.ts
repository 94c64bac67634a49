import type {AcpDeps} from './acp-deps.js'
import {createAgent} from './agent.js'
import {createOpenPlaces} from './open-places.js'
import {createProtocolStream, type ProtocolPipe} from './protocol-stream.js'
import {createSessions} from './sessions.js'

/** How an agent ends. */
export type ServeEnding = {
  /** Aborted when it should end though its input is open: the reader is gone, a signal came. */
  readonly signal: AbortSignal
  /** Called once the end has begun: from then on the process may not live longer than a second (D28). */
  begun(): void
}

/** How long requests in hand may take to be answered after the client closed its end. Unit: milliseconds. */
const answerWithinMs = 500

/**
 * Serves one client over a pipe until it closes its end (D27, D28). Turns that run then are stopped; what they have is
 * kept.
 * @throws JpError as the bootstrap, for a `-w` that names nothing.
 */
export const serveAcp = async (deps: AcpDeps, pipe: ProtocolPipe, ending: ServeEnding): Promise<void> => {
  const places = await createOpenPlaces(deps)
  const sessions = createSessions({places, clock: deps.launch.clock})
  let ended: Promise<void> = Promise.resolve()
  const stream = createProtocolStream(pipe, {
    ending: ending.signal,
    answerWithinMs,
    onEnd() {
      ending.begun()
      ended = sessions.endAll()
    },
  })
  await createAgent({deps, places, sessions}).connect(stream).closed
  await ended
}
