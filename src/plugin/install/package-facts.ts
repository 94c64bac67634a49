import {hasCode} from '../../errors/jp-error.js'
import {type PackageName, parsePackageName} from '../../platform/id-grammar.js'
import {hostProtocol, type Manifest, manifestInvalid, readManifest, type WorkspaceScope} from '../manifest.js'
import {type Fields, isRecord, recordIn, textIn} from './json-fields.js'

/** What a package says of itself in JSON: nothing of it is loaded (P1, P3). */
export type PackageFacts = {
  readonly npmName: PackageName
  readonly version: string
  /** One for each claim; an ordinary oclif plugin may make several. */
  readonly manifests: readonly Manifest[]
  /** The file to spawn, relative to the package; undefined when the runner hosts its command classes. */
  readonly entry: string | undefined
  /** The lifecycle scripts that npm would run, and jp never runs. */
  readonly scripts: readonly string[]
  /** Whether npm must fetch something beside the package. */
  readonly needsDependencies: boolean
  /** The systems and processors that it is for; empty when it is for all. */
  readonly os: readonly string[]
  readonly cpu: readonly string[]
}

/** The two files that state the facts, as JSON values. `oclifManifest` is undefined when there is none. */
export type PackageFiles = {readonly packageJson: unknown; readonly oclifManifest: unknown}

const lifecycle = ['preinstall', 'install', 'postinstall', 'prepublish', 'preprepare', 'prepare', 'postprepare']

/**
 * Reads the facts of a package. `package.json` is authoritative; where several places state a scope, they must agree.
 * @param place named in errors: a tarball or a folder.
 * @throws JpError `plugin_manifest_invalid`.
 */
export const readPackageFacts = ({packageJson, oclifManifest}: PackageFiles, place: string): PackageFacts => {
  const refuse = (what: string) => manifestInvalid(`${place}/package.json`, what)
  if (!isRecord(packageJson)) throw refuse('it is not a JSON object')
  const npmName = parsePackageName(textIn(packageJson, 'name') ?? '')
  if (npmName === undefined) throw refuse('"name" is no name of an npm package')
  const version = textIn(packageJson, 'version') ?? ''
  if (!/^\d+\.\d+\.\d+(?:[-+][0-9A-Za-z.+-]{1,100})?$/.test(version)) throw refuse('"version" is no version')
  const oclif = recordIn(packageJson, 'oclif')
  const entry = entryOf(oclif, place)
  return {
    npmName,
    version,
    manifests: manifestsOf({packageJson, oclif, oclifManifest}, place),
    entry,
    scripts: lifecycle.filter((name) => Object.hasOwn(recordIn(packageJson, 'scripts'), name)),
    needsDependencies: needsDependencies(packageJson),
    os: textsIn(packageJson['os']),
    cpu: textsIn(packageJson['cpu']),
  }
}

type Sources = {readonly packageJson: Fields; readonly oclif: Fields; readonly oclifManifest: unknown}

const manifestsOf = (sources: Sources, place: string): readonly Manifest[] => {
  const scope = agreedScope(sources, place)
  const {oclif} = sources
  if (!Object.hasOwn(oclif, 'jp')) return ordinaryManifests(sources, scope, place)
  const jp = oclif['jp']
  const fields = isRecord(jp) && scope !== undefined ? {...jp, workspace_scope: scope} : jp
  return [readManifest(fields, `${place}/package.json`)]
}

/** A package without `oclif.jp`: its claims are the first words of the ids of its commands (P1). */
const ordinaryManifests = (
  {packageJson, oclif, oclifManifest}: Sources,
  scope: WorkspaceScope | undefined,
  place: string,
): readonly Manifest[] => {
  if (!isRecord(oclifManifest)) {
    throw manifestInvalid(
      `${place}/package.json`,
      'it has no "oclif.jp", and there is no oclif.manifest.json to tell its commands by',
    )
  }
  const words = [...new Set(Object.keys(recordIn(oclifManifest, 'commands')).map((id) => id.split(':')[0] ?? ''))]
  if (words.length === 0) throw manifestInvalid(`${place}/oclif.manifest.json`, 'it lists no commands')
  const topics = recordIn(oclif, 'topics')
  const about = textIn(packageJson, 'description') ?? `Commands of ${String(packageJson['name'])}`
  return words.map((word) =>
    readManifest(
      {
        protocol: hostProtocol,
        description: textIn(recordIn(topics, word), 'description') ?? about,
        command: [word],
        workspace_scope: scope ?? 'single',
      },
      `${place}/oclif.manifest.json`,
    ),
  )
}

/** The one scope that all places state which state one. */
const agreedScope = ({oclif, oclifManifest}: Sources, place: string): WorkspaceScope | undefined => {
  const jp = oclif['jp']
  const manifest = isRecord(oclifManifest) ? oclifManifest : {}
  const commands = Object.entries(recordIn(manifest, 'commands'))
  const stated = [
    ['oclif.jp.workspace_scope', isRecord(jp) ? jp['workspace_scope'] : undefined],
    ['oclif.workspace_scope', oclif['workspace_scope']],
    ['workspace_scope of oclif.manifest.json', manifest['workspace_scope']],
    ...commands.map(([id, command]) => [
      `workspaceScope of the command ${id.replaceAll(':', ' ')}`,
      isRecord(command) ? command['workspaceScope'] : undefined,
    ]),
  ].filter(([, scope]) => scope !== undefined)
  const [first] = stated
  if (first === undefined) return undefined
  const other = stated.find(([, scope]) => scope !== first[1])
  if (other !== undefined) {
    throw manifestInvalid(
      `${place}/package.json`,
      `${String(first[0])} is ${JSON.stringify(first[1])}, but ${String(other[0])} is ${JSON.stringify(other[1])}`,
    )
  }
  if (first[1] === 'single' || first[1] === 'multi') return first[1]
  throw manifestInvalid(`${place}/package.json`, `${String(first[0])} must be "single" or "multi"`)
}

const entryOf = (oclif: Fields, place: string): string | undefined => {
  const jp = oclif['jp']
  const entry = isRecord(jp) ? jp['entry'] : undefined
  if (entry === undefined) return undefined
  const path = typeof entry === 'string' ? entry.replace(/^\.\//, '') : ''
  const parts = path.split('/')
  if (path === '' || path.startsWith('/') || path.includes('\\') || parts.includes('..') || parts.includes('')) {
    throw manifestInvalid(`${place}/package.json`, '"entry" must be the path of a file inside the package')
  }
  return path
}

const needsDependencies = (packageJson: Fields): boolean => {
  const bundled = packageJson['bundleDependencies'] ?? packageJson['bundledDependencies']
  if (bundled === true) return false
  const names = ['dependencies', 'optionalDependencies', 'peerDependencies'].flatMap((key) =>
    Object.keys(recordIn(packageJson, key)),
  )
  const inside = textsIn(bundled)
  return names.some((name) => !inside.includes(name))
}

const textsIn = (value: unknown): readonly string[] =>
  Array.isArray(value)
    ? value.filter((item): item is string => typeof item === 'string')
    : typeof value === 'string'
      ? [value]
      : []

/** The facts, or why there are none, for a place that must not throw. */
export const tryPackageFacts = (files: PackageFiles, place: string): PackageFacts | {readonly reason: string} => {
  try {
    return readPackageFacts(files, place)
  } catch (error) {
    if (!hasCode(error, 'plugin_manifest_invalid')) throw error
    return {reason: error.message}
  }
}
