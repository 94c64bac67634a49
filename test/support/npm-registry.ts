import {createHash} from 'node:crypto'
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http'
import type {AddressInfo} from 'node:net'
import {gunzipSync} from 'node:zlib'

/** What the registry does wrong with a package. */
export type Misbehaviour =
  | 'unauthorised'
  | 'forbidden'
  | 'failing'
  | 'wrong integrity'
  | 'no tarball'
  | 'html tarball'
  | 'truncated tarball'
  | 'redirect loop'
  | 'hanging tarball'
  | 'hanging'

/** A version of a package in the registry. */
export type Published = {
  readonly tarball: Buffer
  readonly tags?: readonly string[]
  readonly deprecated?: string
}

/** A package registry of one test on the loopback, spoken to by the real npm. */
export interface NpmRegistry {
  readonly url: string
  /** The environment in which npm uses it. */
  readonly env: Readonly<Record<string, string>>
  /** Publishes the package that the tarball says it is; the newest one is `latest` unless `tags` says otherwise. */
  publish(published: Published): void
  misbehave(name: string, how: Misbehaviour | undefined): void
  /** What was asked for so far: method and path. */
  readonly requests: readonly string[]
  close(): Promise<void>
}

type Package = {
  readonly versions: Map<string, Published & {manifest: Record<string, unknown>}>
  tags: Record<string, string>
}

const manifestIn = (tarball: Buffer): Record<string, unknown> => {
  const tar = gunzipSync(tarball)
  for (let at = 0; at < tar.length; ) {
    const name = tar.toString('utf8', at, at + 100).replace(/\0.*$/s, '')
    const size = Number.parseInt(tar.toString('latin1', at + 124, at + 135), 8)
    if (name === 'package/package.json') return JSON.parse(tar.toString('utf8', at + 512, at + 512 + size))
    at += 512 + Math.ceil(size / 512) * 512
  }
  throw new Error('the tarball has no package.json')
}

const integrityOf = (bytes: Buffer): string => `sha512-${createHash('sha512').update(bytes).digest('base64')}`

/** Starts a registry. */
export const startNpmRegistry = async (): Promise<NpmRegistry> => {
  const packages = new Map<string, Package>()
  const wrong = new Map<string, Misbehaviour>()
  const requests: string[] = []
  const server = createServer((request, response) => answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const fail = (response: ServerResponse, status: number, error: string): void => {
    response.writeHead(status, {'content-type': 'application/json'}).end(JSON.stringify({error}))
  }

  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    requests.push(`${request.method} ${request.url}`)
    const path = decodeURIComponent((request.url ?? '').split('?')[0] ?? '').slice(1)
    const [name = '', file] = path.split('/-/')
    const known = packages.get(name)
    const how = wrong.get(name)
    if (how === 'hanging') return
    if (how === 'unauthorised') return fail(response, 401, 'authentication required')
    if (how === 'forbidden') return fail(response, 403, 'not yours')
    if (how === 'failing') return fail(response, 500, 'out of order')
    if (known === undefined) return fail(response, 404, 'Not found')
    if (file === undefined) return packument(name, known, response)
    tarball(name, known, file, response)
  }

  const packument = (name: string, known: Package, response: ServerResponse): void => {
    const versions = Object.fromEntries(
      [...known.versions].map(([version, {manifest, tarball: bytes, deprecated}]) => [
        version,
        {
          ...manifest,
          ...(deprecated === undefined ? {} : {deprecated}),
          dist: {
            tarball: `${url}/${name}/-/${name.split('/').at(-1)}-${version}.tgz`,
            integrity: integrityOf(wrong.get(name) === 'wrong integrity' ? Buffer.from('other') : bytes),
          },
        },
      ]),
    )
    response
      .writeHead(200, {'content-type': 'application/json'})
      .end(JSON.stringify({name, 'dist-tags': known.tags, versions}))
  }

  const tarball = (name: string, known: Package, file: string, response: ServerResponse): void => {
    const version = file.slice((name.split('/').at(-1) ?? '').length + 1, -'.tgz'.length)
    const bytes = known.versions.get(version)?.tarball
    switch (wrong.get(name)) {
      case 'no tarball':
        return fail(response, 404, 'Not Found')
      case 'html tarball':
        return void response.writeHead(200, {'content-type': 'text/html'}).end('<!doctype html><h1>Not Found</h1>')
      case 'truncated tarball':
        response.writeHead(200, {'content-length': (bytes?.length ?? 0) + 1000})
        response.write(bytes)
        return void setTimeout(() => response.destroy(), 20)
      case 'redirect loop':
        return void response.writeHead(302, {location: `${url}/${name}/-/${file}`}).end()
      case 'hanging tarball':
        return
      default:
        if (bytes === undefined) return fail(response, 404, 'Not found')
        // As the public registry says it: npm holds a tarball for good.
        response
          .writeHead(200, {
            'content-type': 'application/octet-stream',
            'cache-control': 'public, immutable, max-age=31557600',
          })
          .end(bytes)
    }
  }

  return {
    url,
    env: {npm_config_registry: url},
    requests,
    publish(published) {
      const manifest = manifestIn(published.tarball)
      const [name, version] = [String(manifest['name']), String(manifest['version'])]
      const known: Package = packages.get(name) ?? {versions: new Map(), tags: {}}
      known.versions.set(version, {...published, manifest})
      for (const tag of published.tags ?? ['latest']) known.tags[tag] = version
      packages.set(name, known)
    },
    misbehave: (name, how) => void (how === undefined ? wrong.delete(name) : wrong.set(name, how)),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
