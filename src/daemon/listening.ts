import type {Server} from 'node:http'
import {JpError} from '../errors/jp-error.js'
import {errnoOf, reasonOf} from '../platform/file-errors.js'
import {networkAddresses} from '../platform/network.js'
import {isLoopback} from './token.js'

/** A host as it stands in a URL: IPv6 in brackets. */
export const authorityOf = (hostname: string): string =>
  hostname.includes(':') && !hostname.startsWith('[') ? `[${hostname}]` : hostname

/** The port that a server is bound to; 0 before. */
export const portOf = (server: Server): number => {
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** The names that a request may call the listener by (D25). */
export const listenerNames = (hostname: string): ReadonlySet<string> => {
  const loopback = ['127.0.0.1', 'localhost', '[::1]']
  const own = authorityOf(hostname).toLowerCase()
  if (isLoopback(hostname)) return new Set([...loopback, own])
  const isAny = hostname === '0.0.0.0' || hostname === '::' || hostname === '[::]'
  return new Set([own, ...(isAny ? [...loopback, ...networkAddresses().map(authorityOf)] : [])])
}

/** Binds a server. @throws JpError `port_in_use`, `listen_failed`. */
export const listen = (
  server: Server,
  {hostname, port}: {readonly hostname: string; readonly port: number},
): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', (error) => reject(listenFailure(error, `${authorityOf(hostname)}:${port}`)))
    server.listen({host: hostname.replace(/^\[|\]$/g, ''), port, exclusive: true}, () => resolve())
  })

const listenFailure = (error: Error, where: string): JpError => {
  if (errnoOf(error) !== 'EADDRINUSE') {
    return new JpError('listen_failed', `Can't listen on ${where}: ${reasonOf(error)}.`, {cause: error})
  }
  return new JpError('port_in_use', `${where} is in use already.`, {
    hint: 'See "jp serve status", or choose another with --port; --port 0 takes a free one.',
    cause: error,
  })
}
