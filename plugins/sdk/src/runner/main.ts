// What jp starts for a package of oclif command classes: `node runner.js ROOT CLAIM`. It is the only place where a class of
// a plugin is imported, and that is in the plugin's own process.
import {readFileSync, writeSync} from 'node:fs'
import {join} from 'node:path'
import {Readable} from 'node:stream'
import {connect, type Fields, type Jp} from '../client.js'
import {connectionKey} from '../connection.js'
import {hostCommand} from './host-command.js'

const [root = '', claim = ''] = process.argv.slice(2)
const hostProtocol = 12

const manifest = (): Fields => {
  const pjson = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const jp = pjson.oclif?.jp ?? {}
  const scope = jp.workspace_scope ?? pjson.oclif?.workspace_scope
  return {
    protocol: jp.protocol ?? hostProtocol,
    description: jp.description ?? pjson.description ?? `Commands of ${pjson.name}`,
    command: claim.split(':'),
    ...(scope === undefined
      ? jp.protocol === undefined
        ? {workspace_scope: 'single'}
        : {}
      : {workspace_scope: scope}),
    name: pjson.name,
    version: pjson.version,
    help: `jp ${claim.replaceAll(':', ' ')} --help`,
  }
}

const writeLine = process.stdout.write.bind(process.stdout)
const input = process.stdin

/** What the classes print goes to jp; what they read is nothing: stdin belongs to the protocol. */
const redirectStreams = (jp: Jp, onText: (text: string) => void): void => {
  const empty = Object.assign(Readable.from([]), {isTTY: true, fd: -1})
  Object.defineProperty(process, 'stdin', {value: empty, configurable: true})
  const redirect = (stream: NodeJS.WriteStream, write: (text: string) => void): void => {
    stream.write = (chunk: string | Uint8Array, encoding?: unknown, done?: unknown): boolean => {
      write(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8'))
      const callback = typeof encoding === 'function' ? encoding : done
      if (typeof callback === 'function') queueMicrotask(() => void Reflect.apply(callback, undefined, []))
      return true
    }
  }
  redirect(process.stdout, onText)
  redirect(process.stderr, (text) => jp.print(text, {channel: 'chrome'}))
}

const run = async (): Promise<void> => {
  const {protocol} = manifest()
  const jp = await connect(Number(protocol), {
    pipes: {input, write: (line) => void writeLine(line)},
    describe: manifest,
  })
  if (jp === undefined) return
  Reflect.set(globalThis, connectionKey, jp)
  process.argv.splice(1, Number.POSITIVE_INFINITY, 'jp', ...claim.split(':'), ...jp.init.args)
  const wantsJson = jp.init.output_format.startsWith('json')
  let held = ''
  redirectStreams(jp, (text) => {
    if (wantsJson) held += text
    else jp.print(text)
  })
  let ended = false
  // A class that calls process.exit itself has its say all the same.
  process.on('exit', (code) => {
    if (!ended) writeSync(1, `${JSON.stringify({type: 'exit', code})}\n`)
  })
  jp.shutdown.addEventListener('abort', () => {
    ended = true
    process.exit(130)
  })
  const end = await hostCommand({root, claim: claim.split(':'), jp})
  if (held !== '') jp.print(held, {format: isJson(held) ? 'json' : 'plain'})
  ended = true
  jp.exit(end.code, end.reason)
  writeLine('', () => process.exit(0))
}

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

void run()
