import type {IncomingMessage} from 'node:http'
import {JpError} from '../errors/jp-error.js'
import {bodyTooLarge, hasBody, maxBodyBytes} from './guard.js'
import type {BodyName} from './route.js'

/**
 * The body of a request after its schema; a request without one counts as `{}` (D30).
 * @throws JpError `body_too_large`, `invalid_json`, `unknown_field`, `invalid_request` and the codes of single fields.
 */
export const readBody = async (request: IncomingMessage, name: BodyName | undefined): Promise<unknown> => {
  const value = hasBody(request) ? parse(await collect(request)) : {}
  if (name === undefined) return value
  const {requestSchemas} = await import('../protocol/http-requests.js')
  const result = requestSchemas[name].safeParse(value)
  if (result.success) return result.data
  const [issue] = result.error.issues
  throw refusal(issue === undefined ? {code: 'custom', path: [], message: ''} : issue)
}

/** By hand: leaving a `for await` would destroy the request, and the client would not see why. */
const collect = (request: IncomingMessage): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let bytes = 0
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= maxBodyBytes) chunks.push(chunk)
      else reject(bodyTooLarge())
    })
    request.once('end', () => resolve(Buffer.concat(chunks)))
    const cutOff = (): void => reject(new JpError('invalid_request', 'The request body was cut off.'))
    request.once('error', cutOff)
    // Cut off before anybody listened: neither an end nor an error will be told.
    if (request.destroyed) cutOff()
  })

const parse = (bytes: Buffer): unknown => {
  if (bytes.length === 0) return {}
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', {fatal: true}).decode(bytes))
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch {
    // Told below, like a value that is no object.
  }
  throw new JpError('invalid_json', 'Invalid JSON in request body: it must be one object.')
}

type Issue = {
  readonly code: string
  readonly path: readonly PropertyKey[]
  readonly message: string
  readonly keys?: readonly string[]
  readonly values?: readonly unknown[]
}

/** The fields that have a code of their own. */
const codeOfField = {
  sessionScope: 'invalid_session_scope',
  approvalMode: 'invalid_approval_mode',
  sessionId: 'invalid_session_id',
  deadlineMs: 'invalid_deadline_ms',
} as const

const refusal = (issue: Issue): JpError => {
  const [field, ...inner] = issue.path.map(String)
  if (issue.code === 'unrecognized_keys' && field === undefined) {
    const unknown = issue.keys?.[0] ?? ''
    return new JpError('unknown_field', `The request has a field that is not known here: ${JSON.stringify(unknown)}.`, {
      hint: 'Is it misspelt? GET /openapi.json names the fields.',
      details: {field: unknown},
    })
  }
  if (field === undefined) return new JpError('invalid_request', 'The request body is not what this route takes.')
  const at = [field, ...inner].join('.')
  const own = Object.hasOwn(codeOfField, field) ? codeOfField[field as keyof typeof codeOfField] : undefined
  return new JpError(own ?? 'invalid_request', `\`${at}\` is not valid: ${issue.message}.`, {
    details: {field: at, ...(own === 'invalid_approval_mode' ? {allowed: issue.values} : {})},
  })
}
