import {join} from 'node:path'
import {rfc3339} from '../platform/clock.js'
import {listNames, removeFile} from '../platform/files.js'
import {createStateFile} from './state-file.js'

/** What a daemon leaves on the disk for `jp serve status|stop|env|open` (D24): private to the user, by its port. */
export type Registration = {
  readonly url: string
  readonly port: number
  /** Absent with `--no-auth`. */
  readonly token?: string
  /** Absent when the daemon has ended: what stays is the token, for the next start. */
  readonly pid?: number
  /** RFC 3339, UTC. */
  readonly started_at: string
}

/** The registrations of this user's daemons. */
export interface Registrations {
  read(port: number): Registration | undefined
  all(): readonly Registration[]
  /** A daemon listens. @throws JpError `disk_full`, `file_unwritable`. */
  enter(daemon: ListeningDaemon): void
  /** It has ended. The token of a fixed port stays for the next start; a port of the moment leaves nothing. */
  leave(port: number, isFixed: boolean): void
}

/** A daemon that has just been bound. */
export type ListeningDaemon = {
  readonly port: number
  readonly url: string
  readonly pid: number
  readonly token: string | undefined
  readonly startedAtMs: number
}

/** Creates the registrations in the user's data directory. Writes nothing yet. */
export const createRegistrations = (dataDirectory: string): Registrations => {
  const folder = join(dataDirectory, 'serve')
  const fileOf = (port: number): string => join(folder, `${port}.json`)
  const read = (port: number): Registration | undefined => registrationOf(createStateFile(fileOf(port)).read())
  const write = (registration: Registration): void => createStateFile(fileOf(registration.port)).write(registration)
  return {
    read,
    all: () =>
      listNames(folder).flatMap((name) => {
        const port = /^(\d{1,5})\.json$/.exec(name)?.[1]
        const found = port === undefined ? undefined : read(Number(port))
        return found === undefined ? [] : [found]
      }),
    enter: ({port, url, pid, token, startedAtMs}) =>
      write({url, port, ...(token === undefined ? {} : {token}), pid, started_at: rfc3339(startedAtMs)}),
    leave(port, isFixed) {
      const known = read(port)
      if (!isFixed || known?.token === undefined) return removeFile(fileOf(port))
      const {pid: _, ...rest} = known
      write(rest)
    },
  }
}

/** What is not one counts as none. */
const registrationOf = (content: Readonly<Record<string, unknown>>): Registration | undefined => {
  const {url, port, token, pid, started_at: startedAt} = content
  if (typeof url !== 'string' || typeof port !== 'number' || typeof startedAt !== 'string') return undefined
  return {
    url,
    port,
    ...(typeof token === 'string' ? {token} : {}),
    ...(typeof pid === 'number' ? {pid} : {}),
    started_at: startedAt,
  }
}
