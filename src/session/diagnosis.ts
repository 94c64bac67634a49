import type {WorkspaceId} from '../platform/id-grammar.js'
import type {LockHolder} from '../platform/lock.js'
import type {FixOutcome, Problem} from '../platform/problem.js'
import {setAside} from '../platform/set-aside.js'
import {damagedHistories} from './conversation-history.js'
import {cleanSelections, damagedSelections, staleSelections} from './selection-store.js'

/** What the records of sessions are held against. */
export type SessionScene = {
  readonly dataDirectory: string
  /** The user-local store of the workspace that the run is in. */
  readonly silo: string | undefined
  readonly holder: LockHolder
  hasLiveRoot(this: void, id: WorkspaceId): boolean
}

/** What is wrong with the records of sessions: selected workspaces, and conversations. Writes nothing. */
export const diagnoseSessions = (scene: SessionScene): readonly Problem[] => {
  const {dataDirectory, silo} = scene
  const damaged = [...damagedSelections(dataDirectory), ...(silo === undefined ? [] : damagedHistories(silo))]
  return [
    ...damaged.map(damagedRecord),
    ...staleSelections(dataDirectory, scene.hasLiveRoot).map((path) => staleRecord(path, scene)),
  ]
}

const damagedRecord = (path: string): Problem => ({
  code: 'damaged_session',
  gravity: 'damage',
  path,
  reason: 'it is no session record: it does not parse',
  advice: 'set the file aside; the session starts anew',
  fix() {
    setAside(path)
    return 'fixed'
  },
})

const staleRecord = (path: string, {dataDirectory, holder, hasLiveRoot}: SessionScene): Problem => ({
  code: 'stale_session',
  gravity: 'note',
  path,
  reason: 'its session has ended, or its workspaces are gone',
  advice: 'forget it',
  async fix(): Promise<FixOutcome> {
    await cleanSelections(dataDirectory, holder, hasLiveRoot)
    return 'fixed'
  },
})
