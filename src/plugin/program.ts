import {join} from 'node:path'
import {resolveInside} from '../platform/contained-path.js'
import {nodeExecutable, packageRoot} from '../platform/package-root.js'

/** What is started for a plugin. */
export type Program = {
  readonly command: string
  readonly args: readonly string[]
  /** Canonical path of the file or package that it comes from: `JP_PLUGIN_PATH`. */
  readonly originalPath: string
}

/** A package that is to run. */
export type PackageProgram = {
  readonly root: string
  /** Relative to the package; undefined when the runner hosts its command classes. */
  readonly entry: string | undefined
  readonly claim: readonly string[]
}

/** True for a file that Node runs, whoever may execute it. */
export const isNodeModule = (file: string): boolean => /\.(?:[cm]?js|[cm]?ts)$/.test(file)

/**
 * How a package is started: its `entry`, by Node when it is a module, or our runner for its oclif commands (P1).
 * @throws JpError `file_refused` for an entry that a link leads out of the package.
 */
export const programOfPackage = ({root, entry, claim}: PackageProgram): Program => {
  if (entry === undefined) {
    const runner = join(packageRoot(), 'dist', 'runner.js')
    return {command: nodeExecutable(), args: [runner, root, claim.join(':')], originalPath: root}
  }
  const file = resolveInside(root, entry)
  return isNodeModule(entry)
    ? {command: nodeExecutable(), args: [file], originalPath: root}
    : {command: file, args: [], originalPath: root}
}
