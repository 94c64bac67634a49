import {join} from 'node:path'
import {listNames} from '../platform/files.js'
import type {Problem} from '../platform/problem.js'
import {setAside} from '../platform/set-aside.js'
import {parseSiloName, silosOf} from './known-workspaces.js'
import {forgetRoot, pruneRoots} from './prune.js'
import {type RootFile, readRootFiles} from './roots-registry.js'

/**
 * What is wrong with the registry of checkouts (W3): entries of checkouts that are gone, entries that don't parse, and
 * workspaces with two stores. Writes nothing. Conversations stay whatever is put right here.
 * @throws JpError `file_unreadable`.
 */
export const diagnoseRegistry = (dataDirectory: string): readonly Problem[] => {
  const dead = pruneRoots(dataDirectory, {dryRun: true}).map((entry): Problem => {
    const {path, file} = entry
    return {
      code: 'dead_root',
      gravity: 'note',
      path: file,
      reason: `the checkout ${path} is gone`,
      advice: 'forget it; conversations stay',
      fix() {
        forgetRoot(entry)
        return 'fixed'
      },
    }
  })
  const stores = listNames(silosOf(dataDirectory)).filter((name) => parseSiloName(name) !== undefined)
  const damaged = stores.flatMap((name) => readRootFiles(join(silosOf(dataDirectory), name)).flatMap(damagedEntry))
  return [...dead, ...damaged, ...doubled(dataDirectory, stores)]
}

const damagedEntry = ({file, isDamaged}: RootFile): readonly Problem[] =>
  !isDamaged
    ? []
    : [
        {
          code: 'damaged_root',
          gravity: 'damage',
          path: file,
          reason: 'it does not parse, so nobody knows which checkout it names',
          advice: 'set the file aside; the next run in that checkout registers it again',
          fix() {
            setAside(file)
            return 'fixed'
          },
        },
      ]

/** The next run that loads the workspace merges them. */
const doubled = (dataDirectory: string, stores: readonly string[]): readonly Problem[] => {
  const idOf = (name: string): string | undefined => parseSiloName(name)?.id
  return stores.flatMap((name, index): readonly Problem[] => {
    const first = stores.findIndex((other) => idOf(other) === idOf(name))
    if (first === index) return []
    return [
      {
        code: 'two_stores',
        gravity: 'note',
        path: join(silosOf(dataDirectory), name),
        reason: `${stores[first]} is a store of the same workspace`,
        advice: `the next run in a checkout of it merges them: jp -w ${idOf(name)} c ls`,
      },
    ]
  })
}
