import {join} from 'node:path'
import {JpError} from '../errors/jp-error.js'
import {canonicalIfPresent} from '../platform/contained-path.js'
import {openTreeHashes} from './install/tree-hash.js'
import type {ManifestReading} from './manifest-scan.js'
import {readNow} from './packages.js'
import type {PackageOrigin, Plugin} from './plugin.js'
import {takeExecutable} from './private-copy.js'
import {type Program, programOfPackage} from './program.js'

/** The bytes of a plugin, taken once to be hashed, read and, when admitted, run (P30). */
export interface TakenPlugin {
  /** Canonical path of the file or of the package. */
  readonly path: string
  /** Of the file, or of the tree of the package. Empty for a linked folder: it is approved as a place. */
  readonly sha256: string
  /** Only of a file, and only when it was asked for. */
  readonly sha1: string | undefined
  /** What these very bytes say of themselves. */
  readonly reading: ManifestReading
  /** Makes ready what is to be started. */
  keep(): Program
  /** Removes what `keep` did not put in place. */
  discard(): void
}

/** How a plugin is taken. */
export type TakePlace = {
  readonly cacheDirectory: string
  readonly pid: number
  readonly nowMs: number
  /** Hash with SHA-1 too: a pin may ask for it. */
  readonly sha1: boolean
}

/**
 * Takes a plugin. An executable is copied: what was hashed is what runs. A package lies in our private store; its tree is
 * hashed where it lies (P13), so a process of the same user could still change it in between.
 * @throws JpError as `takeExecutable`; `plugin_not_found` for a package whose folder is gone.
 */
export const takePlugin = (
  {name, origin, facts}: Pick<Plugin, 'name' | 'origin' | 'facts'>,
  place: TakePlace,
): TakenPlugin => {
  if (origin.kind === 'package') {
    return takePackage(origin, facts.state === 'valid' ? facts.manifest.command : [name], place)
  }
  const taken = takeExecutable(origin.path, place)
  const {path, sha256, sha1, reading} = taken
  return {
    path,
    sha256,
    sha1,
    reading,
    keep: () => ({command: taken.keep(), args: [], originalPath: path}),
    discard: () => taken.discard(),
  }
}

const takePackage = (
  origin: PackageOrigin,
  claim: readonly string[],
  {cacheDirectory, nowMs}: TakePlace,
): TakenPlugin => {
  const path = canonicalIfPresent(origin.path)
  if (path === undefined || canonicalIfPresent(join(path, 'package.json')) === undefined) {
    throw new JpError('plugin_not_found', `The package ${origin.npmName} is not at ${origin.path} any more.`, {
      hint: `To forget it: jp plugins uninstall ${origin.npmName}`,
    })
  }
  const sha256 = origin.isLinked ? '' : openTreeHashes({cacheDirectory, nowMs}).hash(origin.tree)
  const facts = readNow(path)
  const manifest =
    'reason' in facts ? undefined : facts.manifests.find(({command}) => command.join(' ') === claim.join(' '))
  const reading: ManifestReading =
    'reason' in facts
      ? {state: 'invalid', reason: facts.reason, claim: []}
      : manifest === undefined
        ? {state: 'invalid', reason: `${path} does not claim "jp ${claim.join(' ')}" any more.`, claim: []}
        : {state: 'valid', manifest}
  const entry = 'reason' in facts ? undefined : facts.entry
  return {
    path,
    sha256,
    sha1: undefined,
    reading,
    keep: () => programOfPackage({root: path, entry, claim}),
    discard: () => undefined,
  }
}
