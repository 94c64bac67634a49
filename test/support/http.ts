import {request} from 'node:http'

/** One request as it goes over the wire: nothing is added but what HTTP needs. */
export type RawRequest = {
  readonly port: number
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** Its answer. */
export type RawAnswer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly text: string
  /** The `code` of an error. */
  readonly code: string | undefined
}

/** Sends a request and reads the answer; an event stream is read up to its first byte. */
export const send = ({port, method, path, headers = {}, body}: RawRequest): Promise<RawAnswer> =>
  new Promise((resolve, reject) => {
    const call = request({host: '127.0.0.1', port, method, path, headers, agent: false}, (response) => {
      let text = ''
      const finish = (): void =>
        resolve({status: response.statusCode ?? 0, headers: response.headers, text, code: codeOf(text)})
      response.setEncoding('utf8')
      response.on('data', (part: string) => {
        text += part
        if (response.headers['content-type'] !== 'text/event-stream') return
        finish()
        call.destroy()
      })
      response.on('end', finish)
      response.on('error', () => undefined)
    })
    call.on('error', reject)
    if (body === undefined) call.end()
    else call.end(body)
  })

const codeOf = (text: string): string | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && 'code' in value && typeof value.code === 'string'
      ? value.code
      : undefined
  } catch {
    return undefined
  }
}
