import type {TerminalHandle, WaitForTerminalExitResponse} from '@agentclientprotocol/sdk'
import type {CommandEnd} from '../turn/tools/outcome.js'
import type {RunCommand} from '../turn/tools/tool-hands.js'
import {type ClientPort, interruptible} from './client-port.js'

/** What the terminals of a turn depend on. */
export type TerminalDeps = {
  readonly client: ClientPort
  /** Told which terminal shows a call. */
  readonly show: (callId: string, terminalId: string) => Promise<void>
}

/** The most output of a command that is kept. Unit: bytes. */
const outputByteLimit = 1024 * 1024

/**
 * Runs commands in terminals of the client (D27): its user sees them, and may end them. A client that does not answer
 * holds no cancel up (FR-53).
 */
export const createClientTerminal =
  ({client, show}: TerminalDeps): RunCommand =>
  async ({command, args, cwd}, signal, {timeoutMs, callId}) => {
    const {context, sessionId} = client
    const limited = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
    const creating = context.createTerminal({sessionId, command, args: [...args], cwd, outputByteLimit})
    try {
      const terminal = await interruptible(creating, limited)
      await show(callId, terminal.id)
      const why = await waitForExit(terminal, limited, `it ran longer than ${timeoutMs / 1000} s`)
      if (signal.aborted) return failed('it was cancelled')
      const {output, truncated} = await interruptible(terminal.currentOutput(), signal)
      return {stdout: truncated ? `[… the start is left out …]\n${output}` : output, stderr: '', failure: why}
    } catch (error) {
      return failed(signal.aborted ? 'it was cancelled' : `the editor could not run it: ${reasonOf(error)}`)
    } finally {
      // Releasing ends what still runs; the client goes on showing what was printed.
      creating.then((terminal) => terminal.release()).catch(() => undefined)
    }
  }

const failed = (failure: string): CommandEnd => ({stdout: '', stderr: '', failure})

/** Why the command failed, in words for the model; undefined when it succeeded. */
const waitForExit = async (
  terminal: TerminalHandle,
  limited: AbortSignal,
  tooLong: string,
): Promise<string | undefined> => {
  try {
    return failureOf(await interruptible(terminal.waitForExit(), limited))
  } catch (error) {
    if (limited.aborted) return tooLong
    throw error
  }
}

const failureOf = ({exitCode, signal}: WaitForTerminalExitResponse): string | undefined => {
  if (typeof signal === 'string') return `signal ${signal}`
  return exitCode === 0 || typeof exitCode !== 'number' ? undefined : `exit code ${exitCode}`
}

/** What the client said, when it was the client. */
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message : error.message
}
