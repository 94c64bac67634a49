import {listNames} from '../platform/files.js'
import type {WorkspaceId} from '../platform/id-grammar.js'
import {randomBelow} from '../platform/random.js'
import {parseSiloName, silosOf} from './known-workspaces.js'
import {workspaceIdOf, workspaceIds} from './workspace-id-file.js'

/** A workspace id that no store of this machine has. */
export const freeWorkspaceId = (dataDirectory: string): WorkspaceId => {
  const taken = new Set(listNames(silosOf(dataDirectory)).map((name) => parseSiloName(name)?.id))
  for (;;) {
    const id = workspaceIdOf(randomBelow(workspaceIds))
    if (!taken.has(id)) return id
  }
}
