import {RequestError} from '@agentclientprotocol/sdk'
import {hasCode, JpError} from '../errors/jp-error.js'
import type {TextFiles} from '../turn/tools/tool-hands.js'
import {type ClientPort, interruptible} from './client-port.js'

/** The protocol's code for what does not exist. */
const notFoundCode = -32002

/**
 * Text files through the client, as far as it offers them (D27): what it reads is what its user sees, unsaved text
 * included.
 * @param own what is used for the rest.
 */
export const createClientFiles = (client: ClientPort, own: TextFiles): TextFiles => {
  const {capabilities, context, sessionId} = client
  return {
    async read(path, signal) {
      if (capabilities.fs?.readTextFile !== true) return own.read(path, signal)
      const request = {cancellationSignal: signal}
      const {content} = await told(
        interruptible(context.request('fs/read_text_file', {sessionId, path}, request), signal),
        {code: 'file_unreadable', what: `The editor can't read ${path}`, path},
      )
      return content
    },
    async write(path, text, signal) {
      if (capabilities.fs?.writeTextFile !== true) return own.write(path, text, signal)
      const params = {sessionId, path, content: text}
      const request = {cancellationSignal: signal}
      await told(interruptible(context.request('fs/write_text_file', params, request), signal), {
        code: 'file_unwritable',
        what: `The editor can't write ${path}`,
        path,
      })
    },
  }
}

type Failure = {
  readonly code: 'file_unreadable' | 'file_unwritable'
  readonly what: string
  readonly path: string
}

/** A client's libraries may hide what happened behind "Internal error", with the words beside it. */
const reasonOf = ({message, data}: RequestError): string =>
  typeof data === 'object' && data !== null && 'details' in data && typeof data.details === 'string'
    ? data.details
    : message

/** The client's refusal as an error for the model to read; a question that was taken back stays one. */
const told = async <Answer>(answer: Promise<Answer>, {code, what, path}: Failure): Promise<Answer> => {
  try {
    return await answer
  } catch (error) {
    const refusal = hasCode(error, 'interrupted') ? error.cause : undefined
    if (!(refusal instanceof RequestError)) throw error
    if (refusal.code === notFoundCode) throw new JpError('file_not_found', `${path} does not exist.`, {cause: refusal})
    throw new JpError(code, `${what}: ${reasonOf(refusal)}`, {cause: refusal})
  }
}
