import {join} from 'node:path'
import {readBytes, writeAtomic} from '../platform/files.js'
import {removeFolder} from '../platform/folders.js'
import type {ConversationId} from '../platform/id-grammar.js'
import {tryLock} from '../platform/lock.js'
import type {FixOutcome} from '../platform/problem.js'
import type {ConversationLocks} from './conversation-locks.js'
import type {ConversationRoot, Copy} from './conversation-roots.js'
import type {Remedy, StoreProblem} from './diagnosis.js'
import {tidyAfterDead} from './tidy.js'
import {keepFile, setAside} from './trash.js'
import {type ManagedFile, stampOf} from './units.js'

/** What repairs stand on. */
export type RepairDeps = {
  readonly roots: readonly ConversationRoot[]
  readonly locks: ConversationLocks
  nowIso(this: void): string
}

/**
 * Applies a remedy under the conversation's lock. The bytes that are replaced are kept in `.trash/` (W20).
 * @throws JpError `disk_full`, `file_unwritable`.
 */
export const repair = (deps: RepairDeps, problem: StoreProblem): FixOutcome => {
  if (problem.remedy.kind === 'remove_lock') {
    tidyAfterDead(deps.roots, deps.locks.directory, deps.locks.holder())
    return 'fixed'
  }
  if (problem.id === undefined) {
    applyRemedy(deps, problem, problem.remedy)
    return 'fixed'
  }
  return underLock(deps, problem.id, () => applyRemedy(deps, problem, problem.remedy))
}

const underLock = (deps: RepairDeps, id: ConversationId, act: () => void): FixOutcome => {
  const attempt = tryLock(deps.locks.pathOf(id), deps.locks.holder())
  if (attempt.state === 'busy') return 'in_use'
  try {
    act()
    return 'fixed'
  } finally {
    attempt.lock.release()
  }
}

const applyRemedy = (deps: RepairDeps, problem: StoreProblem, remedy: Remedy): void => {
  const {reason} = problem
  switch (remedy.kind) {
    case 'set_aside':
      return void setAside(remedy.root, remedy.directory, {reason, nowIso: deps.nowIso()})
    case 'set_file_aside':
      keepFile(remedy.copy, remedy.file)
      return removeFolder(join(remedy.copy.directory, remedy.file))
    case 'rewrite':
      keepFile(remedy.copy, remedy.file)
      return writeAtomic(join(remedy.copy.directory, remedy.file), remedy.content, remedy.copy.root.audience)
    case 'restore':
      return restore(remedy.copy, remedy.from, remedy.file)
    case 'remove_lock':
    case 'none':
      return
  }
}

/** The two files of the stream are restored together: they are one unit (W17). */
const restore = (copy: Copy, from: Copy, file: ManagedFile): void => {
  const files: readonly ManagedFile[] = file === 'metadata.json' ? [file] : ['base_config.json', 'events.json']
  for (const name of files) {
    const source = join(from.directory, name)
    const target = join(copy.directory, name)
    if (stampOf(source) === undefined) {
      if (stampOf(target) === undefined) continue
      keepFile(copy, name)
      removeFolder(target)
    } else {
      keepFile(copy, name)
      writeAtomic(target, readBytes(source, {noFollow: true}), copy.root.audience)
    }
  }
}
