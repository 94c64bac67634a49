import type {Fields} from '../../sdk/src/client.js'

/** Where the page is served. */
export type Options = {readonly host: string; readonly port: number}

export const help = `jp serve web [--port PORT] [--host ADDRESS]   chat in a browser, in every workspace

The address that is printed holds a token; the browser keeps it. Options of the configuration, user-wide:

  [plugins.command.serve-web.options]
  web = {port = 3000, host = "127.0.0.1"}
`

const defaults: Options = {host: '127.0.0.1', port: 3000}

/** Reads the arguments over the options of the configuration; a text says what is wrong with them. */
export const readOptions = (args: readonly string[], options: Fields = {}): Options | string => {
  const web = (typeof options['web'] === 'object' && options['web'] !== null ? options['web'] : {}) as Fields
  const chosen: {host: unknown; port: unknown} = {
    host: web['host'] ?? defaults.host,
    port: web['port'] ?? defaults.port,
  }
  const words = args.flatMap((arg) =>
    /^--\w+=/.test(arg) ? [arg.slice(0, arg.indexOf('=')), arg.slice(arg.indexOf('=') + 1)] : [arg],
  )
  for (let at = 0; at < words.length; at += 2) {
    const [flag, value] = [words[at], words[at + 1]]
    if (flag !== '--port' && flag !== '--host') return `There is no argument ${flag}.`
    if (value === undefined) return `${flag} needs a value.`
    if (flag === '--port') chosen.port = value
    else chosen.host = value
  }
  const port = Number(chosen.port)
  if (!/^\d{1,5}$/.test(String(chosen.port)) || port > 65_535) return `The port can't be "${String(chosen.port)}".`
  if (typeof chosen.host !== 'string' || !/^[\w.:-]+$/.test(chosen.host))
    return `The host can't be "${String(chosen.host)}".`
  return {host: chosen.host, port}
}

/** True for an address that only this machine can reach. */
export const isLoopback = (host: string): boolean => /^127\.|^::1$|^localhost$/.test(host)
