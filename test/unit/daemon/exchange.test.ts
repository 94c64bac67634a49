import assert from 'node:assert/strict'
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http'
import {type AddressInfo, connect} from 'node:net'
import {readBody} from '../../../src/daemon/read-body.js'
import {eventStreamTo} from '../../../src/daemon/response-sink.js'

type Exchange = {readonly request: IncomingMessage; readonly response: ServerResponse}

/** One request over a real socket, whose client has gone before anybody looks at it. */
const left = async (text: string): Promise<Exchange> => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  try {
    return await new Promise<Exchange>((resolve) => {
      server.once('request', (request, response) => {
        response.once('close', () => resolve({request, response}))
        socket.destroy()
      })
      socket.write(text)
    })
  } finally {
    server.close()
  }
}

describe('a client that leaves at once', () => {
  it('D16: a reader that has gone before its stream begins is none', async () => {
    const {request, response} = await left('GET /session/x/events HTTP/1.1\r\nhost: x\r\n\r\n')
    let stops = 0
    eventStreamTo(request, response, {
      headers: {},
      stream: () => () => {
        stops += 1
      },
    })
    assert.equal(stops, 1)
  })

  it('D25: a body that was cut off before anybody read it is not waited for', async () => {
    const head = 'POST /session HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n'
    const {request} = await left(`${head}{"cwd":`)
    await assert.rejects(readBody(request, 'createSession'), {code: 'invalid_request'})
  })
})
