import type {IncomingMessage} from 'node:http'
import {type Fields, RequestError} from '../../sdk/src/client.js'

const maxBytes = 4 * 1024 * 1024

/**
 * The fields of a form, or of a JSON object.
 * @throws RequestError `too_large`, `bad_request`.
 */
export const readBody = async (request: IncomingMessage): Promise<Fields> => {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += (chunk as Buffer).length
    if (size > maxBytes) throw refused('too_large', 'That is more than 4 MiB.')
    chunks.push(chunk as Buffer)
  }
  const text = Buffer.concat(chunks).toString('utf8')
  if (request.headers['content-type']?.startsWith('application/json') !== true) {
    // A form sends CR LF for each end of a line.
    return Object.fromEntries(
      [...new URLSearchParams(text)].map(([name, value]) => [name, value.replaceAll('\r\n', '\n')]),
    )
  }
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return value as Fields
  } catch {
    // Refused below.
  }
  throw refused('bad_request', 'The body is no JSON object.')
}

const refused = (code: string, message: string): RequestError => new RequestError({code, message})
