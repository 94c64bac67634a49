import {join} from 'node:path'
import {readTextIfPresent, writeAtomicIfChanged} from '../../platform/files.js'
import {setAside} from '../../platform/set-aside.js'
import {isRecord, recordIn} from './json-fields.js'
import type {InstalledPackage} from './package-index.js'

/**
 * Keeps oclif's list of user plugins, `<data>/package.json`, in step with ours, so that tools that know oclif see them
 * (P28). jp itself never reads it. What else the file holds is kept.
 * @throws JpError `disk_full`, `file_unwritable`.
 */
export const mirrorForOclif = (dataDirectory: string, packages: readonly InstalledPackage[]): void => {
  const path = join(dataDirectory, 'package.json')
  const before = readOrSetAside(path)
  if (before === undefined && packages.length === 0) return
  const oclif = {...recordIn(before ?? {}, 'oclif'), schema: 1, plugins: packages.map(toOclifPlugin)}
  writeAtomicIfChanged(path, `${JSON.stringify({private: true, ...before, oclif}, undefined, 2)}\n`, 'user')
}

/** A package as oclif's list of user plugins holds it. */
export const toOclifPlugin = ({name, place, source}: InstalledPackage) => {
  if (place.kind === 'linked') return {type: 'link', name, root: place.root}
  if (source.kind === 'registry') return {type: 'user', name, tag: source.range}
  if (source.kind === 'git' || source.kind === 'url') return {type: 'user', name, url: source.url}
  if (source.kind === 'shipped') return {type: 'user', name, tag: 'latest'}
  return {type: 'user', name, url: `file:${source.path}`}
}

const readOrSetAside = (path: string): Readonly<Record<string, unknown>> | undefined => {
  const text = readTextIfPresent(path, {maxBytes: 16 * 1024 * 1024})
  if (text === undefined) return undefined
  try {
    const value: unknown = JSON.parse(text)
    if (isRecord(value)) return value
  } catch {
    // Set aside below.
  }
  setAside(path)
  return undefined
}
