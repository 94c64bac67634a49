import {createServer, type ServerResponse} from 'node:http'
import type {AddressInfo} from 'node:net'
import type {Scratch} from './scratch.js'

/** What the server answers. `content` is the last message of the user. */
export type TitleAnswers = {
  /** The words of a turn's answer, once they may come; "ok" without it. */
  turn?(content: string): string | Promise<string>
  /** What a request for a title is answered with; undefined: nothing, ever. */
  title(content: string): string | undefined | Promise<string | undefined>
}

/** A model on loopback that tells a turn from a request for a title. */
export interface TitleServer {
  /** What was asked, in order. */
  readonly asked: readonly ('turn' | 'title')[]
  close(): void
}

type Asked = {readonly messages: readonly {readonly role: string; readonly content: unknown}[]}

const chunk = (delta: object, finish?: string): string =>
  `data: ${JSON.stringify({id: '1', choices: [{index: 0, delta, ...(finish === undefined ? {} : {finish_reason: finish})}]})}\n\n`

/** Starts the server, and names it as `spy` in the user's configuration; `model` of it is `spy/model`. */
export const startTitleServer = async (scratch: Scratch, answers: TitleAnswers, more = ''): Promise<TitleServer> => {
  const asked: ('turn' | 'title')[] = []
  const answer = async (body: string, response: ServerResponse): Promise<void> => {
    const content = lastWords(JSON.parse(body) as Asked)
    const isTitle = body.includes('You name conversations')
    asked.push(isTitle ? 'title' : 'turn')
    const words = isTitle ? await answers.title(content) : ((await answers.turn?.(content)) ?? 'ok')
    if (words === undefined) return
    response.writeHead(200, {'content-type': 'text/event-stream'})
    response.write(chunk({content: words}))
    response.end(`${chunk({}, 'stop')}data: [DONE]\n\n`)
  }
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (bytes: Buffer) => (body += bytes.toString()))
    request.on('end', () => void answer(body, response))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const {port} = server.address() as AddressInfo
  scratch.write(
    'home/.config/jp/config.toml',
    `${more}\n[providers.llm.spy]\ntype = "openai-compatible"\nbase_url = "http://127.0.0.1:${port}"\n`,
  )
  return {
    asked,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

const lastWords = ({messages}: Asked): string => {
  const content = messages.findLast(({role}) => role === 'user')?.content
  return typeof content === 'string' ? content : JSON.stringify(content)
}
