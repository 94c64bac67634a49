import {release} from 'node:os'
import type {Invocation} from './invocation.js'

/** `jp --version`: the version; with `--verbose` what a bug report needs (Q9). */
export const printVersion = (invocation: Invocation): void => {
  const {version, directories, environment, output, globals} = invocation
  const line = `jp ${version}`
  if (globals.verbosity === 0) return output.line(line, {version})
  const about = {
    version,
    node: process.version,
    platform: `${environment.platform}-${process.arch} ${release()}`,
    data: directories.data,
    config: directories.config,
    cache: directories.cache,
    state: directories.state,
  }
  output.details(about, [
    ['jp', about.version],
    ['Node', about.node],
    ['Platform', about.platform],
    ['Data', about.data],
    ['Configuration', about.config],
    ['Cache', about.cache],
    ['State', about.state],
  ])
}
