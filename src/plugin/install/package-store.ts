import {renameSync, rmSync, statSync} from 'node:fs'
import {join} from 'node:path'
import {hasCode, JpError} from '../../errors/jp-error.js'
import {type Clock, rfc3339} from '../../platform/clock.js'
import {writeFailure} from '../../platform/file-errors.js'
import {listNames, makeDirectory, syncDirectory, writeAtomic} from '../../platform/files.js'
import {isTaken} from '../../platform/folders.js'
import {withLock} from '../../platform/lock.js'
import {setAside} from '../../platform/set-aside.js'
import {mirrorForOclif} from './oclif-mirror.js'
import {
  type InstalledPackage,
  isCorrupt,
  isFolderName,
  type PackageIndex,
  readIndex,
  toFields,
} from './package-index.js'
import {isStagingOfTheLiving} from './staging.js'

/** The packages of a user: `<data>/plugins/packages`, one private folder a version, one index (P16). */
export interface PackageStore {
  readonly folder: string
  /** @throws JpError `plugin_store_corrupt`. */
  list(): readonly InstalledPackage[]
  /**
   * Moves a staged folder to its place; gives its name. Nothing refers to it before {@link PackageStore.record}.
   * @throws JpError `disk_full`, `file_unwritable`.
   */
  place(staged: string, wanted: string): string
  /**
   * Does work while no other process changes packages and their approvals: the two are one to the user, and two files.
   * @throws JpError `state_busy`, and what `work` throws.
   */
  alone<Result>(work: () => Promise<Result>): Promise<Result>
  /**
   * Changes the index while no other process does; `change` is given what is installed and may throw to refuse.
   * @throws JpError `state_busy`, `disk_full`, `file_unwritable`, and what `change` throws.
   */
  record(change: (installed: readonly InstalledPackage[]) => readonly InstalledPackage[]): Promise<void>
  /** Sets an index aside that does not parse, and begins a new one; what lies in the store stays for a day. */
  repair(): Promise<void>
  /** Removes what nothing refers to any more: staging of runs that are gone, versions that were replaced a day ago. */
  sweep(): Promise<void>
}

/** What the store stands on. */
export type PackageStoreDeps = {readonly dataDirectory: string; readonly clock: Clock; readonly pid: number}

/** A replaced version stays for programs of it that still run. Unit: milliseconds. */
const retiredMs = 24 * 60 * 60 * 1000
/** Another run may have moved a folder to its place and be about to record it. Unit: milliseconds. */
const placingMs = 10 * 60 * 1000

/** The folder of the store. */
export const packagesFolder = (dataDirectory: string): string => join(dataDirectory, 'plugins', 'packages')

/** The root of a package: where its `package.json` lies. */
export const rootOf = (dataDirectory: string, {name, place}: InstalledPackage): string =>
  place.kind === 'linked' ? place.root : join(packagesFolder(dataDirectory), place.folder, 'node_modules', name)

/** Creates the store. */
export const createPackageStore = (deps: PackageStoreDeps): PackageStore => {
  const folder = packagesFolder(deps.dataDirectory)
  const path = join(folder, 'index.json')
  const lock = join(deps.dataDirectory, 'locks', 'plugin-packages.lock')
  const nowMs = () => deps.clock.nowMs()
  const locked = <Result>(change: () => Result): Promise<Result> =>
    withLock(lock, {pid: deps.pid, acquired_at: rfc3339(nowMs())}, change)
  const write = ({packages, retired}: PackageIndex): void => {
    makeDirectory(folder, 'user')
    writeAtomic(
      path,
      `${JSON.stringify({version: 1, packages: packages.map(toFields), retired}, undefined, 2)}\n`,
      'user',
    )
    mirrorForOclif(deps.dataDirectory, packages)
  }
  return {
    folder,
    list: () => readIndex(path).packages,
    place(staged, wanted) {
      try {
        for (let copy = 1; ; copy++) {
          const name = copy === 1 ? wanted : `${wanted}-${copy}`
          if (isTaken(join(folder, name))) continue
          renameSync(staged, join(folder, name))
          syncDirectory(folder)
          return name
        }
      } catch (error) {
        throw writeFailure(join(folder, wanted), error)
      }
    },
    alone: (work) =>
      withLock(
        join(deps.dataDirectory, 'locks', 'plugin-changes.lock'),
        {pid: deps.pid, acquired_at: rfc3339(nowMs())},
        work,
      ),
    record: (change) =>
      locked(() => {
        const before = readIndex(path)
        const packages = change(before.packages)
        const gone = foldersOf(before.packages).filter((name) => !foldersOf(packages).includes(name))
        const retired = {...before.retired, ...Object.fromEntries(gone.map((name) => [name, rfc3339(nowMs())]))}
        write({packages, retired})
      }),
    async repair() {
      if (!isCorrupt(path)) return
      await locked(() => {
        setAside(path)
        const at = rfc3339(nowMs())
        const folders = listNames(folder).filter((name) => isFolderName(name))
        write({packages: [], retired: Object.fromEntries(folders.map((name) => [name, at]))})
      })
    },
    async sweep() {
      if (listNames(folder).length === 0) return
      await locked(() => sweepFolder(folder, path, nowMs(), write))
    },
  }
}

/** Sweeps the store for a command that only looks; gives what is wrong with it, or undefined. */
export const tidyPackages = async (store: PackageStore): Promise<string | undefined> => {
  try {
    await store.sweep()
    return undefined
  } catch (error) {
    if (hasCode(error, 'plugin_store_corrupt')) return `${error.message} ${error.hint ?? ''}`
    if (error instanceof JpError) return undefined
    throw error
  }
}

const foldersOf = (packages: readonly InstalledPackage[]): string[] =>
  packages.flatMap(({place}) => (place.kind === 'installed' ? [place.folder] : []))

/** When a folder got its name. Unit: milliseconds since the Unix epoch. */
const movedAtMs = (path: string): number => statSync(path, {throwIfNoEntry: false})?.ctimeMs ?? 0

const sweepFolder = (folder: string, path: string, nowMs: number, write: (index: PackageIndex) => void): void => {
  const {packages, retired} = readIndex(path)
  const kept = Object.entries(retired).filter(([, at]) => nowMs - Date.parse(at) < retiredMs)
  const used = new Set(['index.json', ...foldersOf(packages), ...kept.map(([name]) => name)])
  for (const name of listNames(folder)) {
    if (used.has(name) || isStagingOfTheLiving(name) || name.startsWith('index.json')) continue
    if (isFolderName(name) && nowMs - movedAtMs(join(folder, name)) < placingMs) continue
    rmSync(join(folder, name), {recursive: true, force: true})
  }
  if (kept.length < Object.keys(retired).length) write({packages, retired: Object.fromEntries(kept)})
}
