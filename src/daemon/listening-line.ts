import {publishedRuntime} from './runtime.js'
import type {RunningDaemon} from './serve.js'

/** The one line on stdout that says where a daemon listens (D5). */
export const listeningLine = ({url, registry}: RunningDaemon): string => {
  const {primary, runtimes} = registry
  const more = runtimes.length === 1 ? '' : ` and ${runtimes.length - 1} more`
  return `jp is listening on ${url} (workspace=${primary.workspaceCwd}${more})`
}

/** The same for `--format json`. */
export const startReport = ({url, port, registry, auth}: RunningDaemon) => ({
  url,
  port,
  auth,
  workspaces: registry.runtimes.map(publishedRuntime),
})
