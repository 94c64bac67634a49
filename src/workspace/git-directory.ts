import {lstatSync} from 'node:fs'
import {dirname, join, relative, resolve} from 'node:path'
import {canonicalIfPresent} from '../platform/contained-path.js'
import {readTextIfPresent} from '../platform/files.js'

/** The repository that a checkout lies in, proven from both sides. */
export type GitPlace = {
  /** Canonical path of the directory that all worktrees of the repository share. */
  readonly commonDirectory: string
  /** The way from the top of the worktree to the checkout; empty at the top. */
  readonly subfolder: string
  /** A linked worktree: its `.git` is a file. */
  readonly isLinked: boolean
}

const maxGitFileBytes = 65_536

/**
 * The git common directory of a checkout, read from its files, without git. Undefined outside a repository, and when a
 * linked worktree's `.git` names a repository that does not name it back: anyone can write such a file (W30).
 * @param root a canonical path.
 */
export const findGitPlace = (root: string): GitPlace | undefined => {
  try {
    for (let top = root; ; top = dirname(top)) {
      const kind = kindOf(join(top, '.git'))
      if (kind !== undefined) return placeIn(top, kind, relative(top, root))
      if (top === dirname(top)) return undefined
    }
  } catch {
    // What can't be read proves nothing.
    return undefined
  }
}

const kindOf = (path: string): 'folder' | 'file' | undefined => {
  try {
    const stat = lstatSync(path)
    return stat.isDirectory() ? 'folder' : stat.isFile() ? 'file' : undefined
  } catch {
    return undefined
  }
}

const placeIn = (top: string, kind: 'folder' | 'file', subfolder: string): GitPlace | undefined => {
  const dotGit = join(top, '.git')
  if (kind === 'folder') {
    const commonDirectory = canonicalIfPresent(dotGit)
    return commonDirectory === undefined ? undefined : {commonDirectory, subfolder, isLinked: false}
  }
  const own = pathIn(dotGit, top, /^gitdir: (.+)$/)
  const back = own === undefined ? undefined : pathIn(join(own, 'gitdir'), own, /^(.+)$/)
  if (own === undefined || back === undefined || back !== canonicalIfPresent(dotGit)) return undefined
  const commonDirectory = pathIn(join(own, 'commondir'), own, /^(.+)$/)
  return commonDirectory === undefined ? undefined : {commonDirectory, subfolder, isLinked: true}
}

/** The canonical path that a one-line file holds, from a folder. */
const pathIn = (file: string, from: string, line: RegExp): string | undefined => {
  const text = readTextIfPresent(file, {maxBytes: maxGitFileBytes})
  const path = line.exec(text?.trimEnd() ?? '')?.[1]
  return path === undefined ? undefined : canonicalIfPresent(resolve(from, path))
}
