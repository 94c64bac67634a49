import {basename, dirname} from 'node:path'

/** The folder of the installed package. Built, this module is a part of `dist/entry.js`; as a source it lies in `src`. */
export const packageRoot = (): string => {
  const here = import.meta.dirname
  return basename(here) === 'dist' ? dirname(here) : dirname(dirname(here))
}

/** The Node that runs jp: packages run on it too. */
export const nodeExecutable = (): string => process.execPath

/** The processor of this machine, in Node's words. */
export const processorArchitecture = (): string => process.arch
