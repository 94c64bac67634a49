// What jp starts for a package of oclif command classes: `node runner.js ROOT CLAIM`. It is the only place where a class of
// a plugin is imported, and that is in the plugin's own process.
import {writeSync} from 'node:fs'
import {Readable} from 'node:stream'
import {readPackageFacts} from '../../../../src/plugin/install/package-facts.js'
import {readPackageFiles} from '../../../../src/plugin/install/package-files.js'
import {manifestFields} from '../../../../src/plugin/manifest.js'
import {connect, type Fields, type Jp} from '../client.js'
import {connectionKey} from '../connection.js'
import {helpOf, hostCommand} from './host-command.js'

const [root = '', claim = ''] = process.argv.slice(2)

/** What the package states of this claim, read as jp reads it. */
const statement = (): Fields => {
  const files = readPackageFiles(root)
  if ('reason' in files) throw new Error(files.reason)
  const {manifests, npmName, version} = readPackageFacts(files, root)
  const manifest = manifests.find(({command}) => command.join(':') === claim)
  if (manifest === undefined) throw new Error(`${npmName} does not claim "jp ${claim.replaceAll(':', ' ')}".`)
  return {...manifestFields(manifest), name: npmName, version}
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
  const {protocol} = statement()
  const jp = await connect(Number(protocol), {
    pipes: {input, write: (line) => void writeLine(line)},
    describe: async () => ({...statement(), help: await helpOf({root, claim: claim.split(':')})}),
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
