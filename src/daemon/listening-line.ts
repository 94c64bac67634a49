import {publishedRuntime} from './runtime.js'
import type {RunningDaemon} from './serve.js'

/** The one line on stdout that says where a daemon listens (D5). */
export const listeningLine = ({url, workspaces}: RunningDaemon): string => {
  const [primary, ...others] = workspaces
  const more = others.length === 0 ? '' : ` and ${others.length} more`
  return `jp is listening on ${url} (workspace=${primary?.workspaceCwd ?? ''}${more})`
}

/** The same for `--format json`. */
export const startReport = ({url, port, workspaces, auth}: RunningDaemon) => ({
  url,
  port,
  auth,
  workspaces: workspaces.map(publishedRuntime),
})
