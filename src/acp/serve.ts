import type {AcpDeps} from './acp-deps.js'
import {createAgent} from './agent.js'
import type {AgentParts} from './agent-parts.js'
import {createProtocolStream, type ProtocolPipe} from './protocol-stream.js'

/** How an agent ends. */
export type ServeEnding = {
  /** Aborted when it should end though its input is open: the reader is gone, a signal came. */
  readonly signal: AbortSignal
  /** Called once the end has begun: from then on the process may not live longer than a second (D28). */
  begun(): void
}

/** How long requests in hand may take to be answered after the client closed its end. Unit: milliseconds. */
const answerWithinMs = 400

/**
 * Serves one client over a pipe until it closes its end (D27, D28). Turns that run then are stopped; what they have is
 * kept.
 * @throws JpError as the bootstrap, for a `-w` that names nothing.
 */
export const serveAcp = async (deps: AcpDeps, pipe: ProtocolPipe, ending: ServeEnding): Promise<void> => {
  let opening: Promise<AgentParts> | undefined
  const parts = (): Promise<AgentParts> => {
    opening ??= import('./agent-parts.js').then(({openAgentParts}) => openAgentParts(deps))
    return opening
  }
  if (deps.launch.globals.workspace.length > 0) await parts()
  let ended: Promise<void> | undefined
  const stream = createProtocolStream(pipe, {
    ending: ending.signal,
    answerWithinMs,
    onEnd() {
      ending.begun()
      ended = opening?.then((opened) => opened.end())
    },
  })
  await createAgent(deps, parts).connect(stream).closed
  await ended
}
