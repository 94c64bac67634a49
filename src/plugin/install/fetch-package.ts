import {join} from 'node:path'
import {JpError} from '../../errors/jp-error.js'
import {listNames, makeDirectory, readBytes} from '../../platform/files.js'
import {cloneRepository} from './git.js'
import {isRecord, recordIn, textIn} from './json-fields.js'
import {runNpm, type ToolPlace} from './npm.js'
import {shippedFolder} from './official-registry.js'
import {type PackageSource, sourceText} from './source.js'

/** The bytes of a package, fetched and not looked at yet. */
export type FetchedPackage = {
  readonly tarball: Buffer
  /** What was promised, `sha512-…`; undefined where nobody promised anything. */
  readonly promised: string | undefined
  /** What the registry says against this version. */
  readonly deprecated: string | undefined
  /** The commit of a git source. */
  readonly commit: string | undefined
}

const maxTarballBytes = 256 * 1024 * 1024

/**
 * Gets the tarball of a source. Works in `staging`, an empty folder of ours.
 * @throws JpError as {@link runNpm}; `file_not_found`, `file_unreadable`, `file_refused`.
 */
export const fetchPackage = async (
  source: PackageSource,
  staging: string,
  place: ToolPlace,
): Promise<FetchedPackage> => {
  const plain = (tarball: Buffer) => ({tarball, promised: undefined, deprecated: undefined, commit: undefined})
  switch (source.kind) {
    case 'file':
      return plain(readBytes(source.path, {maxBytes: maxTarballBytes}))
    case 'shipped':
      return plain(readBytes(join(shippedFolder(), source.file)))
    case 'folder':
      return plain(await pack(source.path, staging, place))
    case 'url':
      return plain(await pack(source.url, staging, place))
    case 'git': {
      const clone = join(staging, 'clone')
      const commit = await cloneRepository(source, clone, place)
      return {...plain(await pack(clone, staging, place)), commit}
    }
    case 'registry':
      return fetchByName(source, staging, place)
  }
}

const fetchByName = async (
  source: Extract<PackageSource, {kind: 'registry'}>,
  staging: string,
  place: ToolPlace,
): Promise<FetchedPackage> => {
  // With one field that all versions have beside `dist`, npm answers with objects and not with bare `dist`s.
  const wanted = ['version', 'dist', 'deprecated']
  const answer = await runNpm(['view', `${source.name}@${source.range}`, ...wanted], staging, place)
  // Of several versions in a range, npm lists the newest last.
  const found: unknown = Array.isArray(answer) ? answer.at(-1) : answer
  const fields = isRecord(found) ? found : {}
  const dist = recordIn(fields, 'dist')
  const url = textIn(dist, 'tarball')
  if (url === undefined) {
    throw new JpError('plugin_not_found', `The registry has no version of ${source.name} for "${source.range}".`, {
      hint: `See which there are: npm view ${source.name} versions`,
    })
  }
  return {
    tarball: await pack(url, staging, place),
    promised: textIn(dist, 'integrity'),
    deprecated: textIn(fields, 'deprecated'),
    commit: undefined,
  }
}

/** A folder becomes a tarball by npm's own rules; the one at a URL is fetched with the user's npm settings. */
const pack = async (what: string, staging: string, place: ToolPlace): Promise<Buffer> => {
  const folder = join(staging, 'packed')
  makeDirectory(folder, 'user')
  try {
    await runNpm(['pack', what, `--pack-destination=${folder}`], staging, place)
  } catch (error) {
    if (!(error instanceof JpError)) throw error
    const where = /^https?:/.test(what) && !error.message.includes(what) ? ` (${what})` : ''
    const isArchive = /TAR_|Unrecognized archive|zlib|incorrect header|unexpected end/i.test(error.message)
    const code = isArchive ? 'plugin_archive_invalid' : error.code
    const text = isArchive ? `What ${what} gives is no package archive` : error.message
    throw new JpError(code, isArchive ? `${text}: it is cut short, or a web page.` : `${text}${where}`, {
      cause: error,
      hint: error.hint,
    })
  }
  const [file] = listNames(folder)
  if (file === undefined) throw new JpError('plugin_install_failed', `npm packed nothing of ${what}.`)
  return readBytes(join(folder, file), {maxBytes: maxTarballBytes})
}

/** A source for messages. */
export const shownSource = (source: PackageSource, commit: string | undefined): string =>
  commit === undefined ? sourceText(source) : `${sourceText(source)} (commit ${commit.slice(0, 12)})`
