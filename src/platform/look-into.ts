import {sep} from 'node:path'

/**
 * Visits folders one after the other. `look` is given what goes in front of a name to reach it there.
 */
export type LookInto = <Place extends {readonly folder: string}>(
  places: Iterable<Place>,
  look: (place: Place, prefix: string) => void,
) => void

/** By the whole path of each folder. */
export const byPath: LookInto = (places, look) => {
  for (const place of places) look(place, `${place.folder}${sep}`)
}

/**
 * From within each folder, since following a long path anew for every file is a third of the cost of looking at thousands
 * of them; the process is where it was afterwards. For a process that does nothing else meanwhile.
 */
export const fromWithin: LookInto = (places, look) => {
  const home = returnableCwd()
  if (home === undefined) return byPath(places, look)
  try {
    for (const place of places) look(place, enter(place.folder) ? '' : `${place.folder}${sep}`)
  } finally {
    process.chdir(home)
  }
}

const enter = (folder: string): boolean => {
  try {
    process.chdir(folder)
    return true
  } catch {
    return false
  }
}

/** The cwd, when one can come back to it: not when it was removed or lies in a folder of somebody else, nor in a worker. */
const returnableCwd = (): string | undefined => {
  try {
    const cwd = process.cwd()
    process.chdir(cwd)
    return cwd
  } catch {
    return undefined
  }
}
