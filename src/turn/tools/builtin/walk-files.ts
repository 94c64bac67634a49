import {readdirSync} from 'node:fs'
import {join, matchesGlob} from 'node:path'

/** Folders that are never looked into: what tools write there, nobody reads. */
const skipped: ReadonlySet<string> = new Set(['.git', 'node_modules', '.hg', '.svn'])

/** How many files a walk gives at most. */
export const maxWalkedFiles = 20_000

/** The files below a folder of the checkout, sorted, as paths from `root`. Links are not followed. */
export const walkFiles = function* (root: string, below: string, glob?: string): Generator<string, void, undefined> {
  let given = 0
  const walk = function* (folder: string): Generator<string, void, undefined> {
    for (const entry of entriesOf(join(root, folder))) {
      if (given >= maxWalkedFiles) return
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.isDirectory() && !skipped.has(entry.name) && path !== '.jp/conversations') yield* walk(path)
      else if (entry.isFile() && (glob === undefined || fits(path, entry.name, glob))) {
        given += 1
        yield path
      }
    }
  }
  yield* walk(below)
}

/** A glob without a slash is meant for the name alone. */
const fits = (path: string, name: string, glob: string): boolean =>
  glob.includes('/') ? matchesGlob(path, glob) : matchesGlob(name, glob)

const entriesOf = (folder: string) => {
  try {
    return readdirSync(folder, {withFileTypes: true}).sort((left, right) => (left.name < right.name ? -1 : 1))
  } catch {
    // A folder that can't be read holds nothing that could be listed.
    return []
  }
}
