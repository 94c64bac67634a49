import {lstatSync, type Stats} from 'node:fs'

/** The names in one folder that are asked about. */
export type FolderNames = {readonly folder: string; readonly names: readonly string[]}

/**
 * `lstat` of many names, folder by folder, in order. It looks from within each folder, since following a long path anew for
 * every file is a third of the cost of a large tree; the process is where it was afterwards.
 * @throws the error of the system for a name that is gone.
 */
export const statInFolders = (folders: readonly FolderNames[], visit: (stat: Stats) => void): void => {
  const home = returnableCwd()
  try {
    for (const {folder, names} of folders) {
      if (home !== undefined) process.chdir(folder)
      for (const name of names) visit(lstatSync(home === undefined ? `${folder}/${name}` : name))
    }
  } finally {
    if (home !== undefined) process.chdir(home)
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
