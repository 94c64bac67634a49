import {readFileSync} from 'node:fs'
import type {Server} from 'node:http'
import type {AddressInfo} from 'node:net'
import {join} from 'node:path'
import {connect, type Jp} from '../../sdk/src/client.js'
import {help, isLoopback, type Options, readOptions} from './options.js'
import {createWeb} from './server.js'
import {openToken} from './token.js'

const {name, version, oclif} = JSON.parse(readFileSync(join(import.meta.dirname, '..', 'package.json'), 'utf8'))

const main = async (): Promise<void> => {
  const jp = await connect(oclif.jp.protocol, {describe: () => ({...oclif.jp, name, version, help})})
  if (jp === undefined) return
  if (jp.init.args.some((arg) => arg === '--help' || arg === '-h')) {
    jp.print(help)
    return jp.exit(0)
  }
  const options = readOptions(jp.init.args, jp.init.options)
  if (typeof options === 'string') return jp.exit(2, `${options} See: jp serve web --help`)
  await serve(jp, options)
}

const serve = async (jp: Jp, options: Options): Promise<void> => {
  const token = openToken(jp.init.paths.user_data)
  const server = createWeb({jp, options, token})
  const problem = await listen(server, options)
  if (problem !== undefined) return jp.exit(6, problem)
  tell(jp, options, {port: (server.address() as AddressInfo).port, token})
  // jp asks us to end, or is gone: either way the port is free at once.
  jp.shutdown.addEventListener('abort', () => {
    server.close()
    server.closeAllConnections()
    jp.exit(0)
  })
}

const listen = (server: Server, {host, port}: Options): Promise<string | undefined> =>
  new Promise((resolve) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      resolve(
        error.code === 'EADDRINUSE'
          ? `Port ${port} is taken. Choose another: jp serve web --port 0 takes any that is free.`
          : `Can't listen on ${host}:${port}: ${error.message}.`,
      ),
    )
    server.listen(port, host, () => resolve(undefined))
  })

const tell = (jp: Jp, {host}: Options, {port, token}: {port: number; token: string}): void => {
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}/?token=${token}`
  if (jp.init.output_format.startsWith('json')) jp.print(`${JSON.stringify({url})}\n`, {format: 'json'})
  else jp.print(`Open ${url}\n`)
  if (!isLoopback(host)) {
    jp.print('Warning: whoever reaches this address and has its token can do what you can, unencrypted.\n', {
      channel: 'chrome',
    })
  }
}

void main()
