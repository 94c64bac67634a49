import {existsSync} from 'node:fs'
import {join, resolve} from 'node:path'
import {JpError} from '../../errors/jp-error.js'
import {canonicalIfPresent} from '../../platform/contained-path.js'

/** One `--mount`: a path that tools may use under a name. */
export type Mount = {
  /** The one tool that it is for; `*` for all. */
  readonly tool: string
  readonly name: string
  /** Canonical. */
  readonly path: string
  readonly isWritable: boolean
}

/**
 * Reads a `--mount` (facts 8.3): `[TOOL:]NAME=PATH[:MODE]`, MODE `ro` (the default) or `rw`. A relative path is meant from the
 * launch cwd (W11).
 * @throws JpError `usage`, `file_not_found`.
 */
export const parseMount = (text: string, launchCwd: string): Mount => {
  const [, tool = '*', name, typed, mode] = /^(?:([\w-]+):)?(\w[\w.-]*)=(.+?)(?::(ro|rw))?$/.exec(text) ?? []
  if (name === undefined || typed === undefined) {
    throw new JpError('usage', `--mount can't be "${text}".`, {
      hint: 'Write it as [TOOL:]NAME=PATH[:ro|rw]: --mount notes=~/notes:rw',
    })
  }
  const path = canonicalIfPresent(resolve(launchCwd, typed))
  if (path === undefined) throw new JpError('file_not_found', `Can't mount ${typed}: there is nothing there.`)
  return {tool, name, path, isWritable: mode === 'rw'}
}

/** The settings that mounts come to. */
export const mountAssignments = (mounts: readonly Mount[]): readonly string[] =>
  mounts.map(({tool, name, path, isWritable}) => {
    const entry = {path, name, external: true, read: true, ...(isWritable ? {write: true} : {})}
    return `conversation.tools.${tool}.access.fs:+=${JSON.stringify([entry])}`
  })

/** @throws JpError `usage` for a name that something in the checkout has already. */
export const assertUnshadowed = (mounts: readonly Mount[], root: string): void => {
  const shadowing = mounts.find(({name}) => existsSync(join(root, name)))
  if (shadowing === undefined) return
  throw new JpError('usage', `The checkout has a ${shadowing.name} of its own; mount it under another name.`)
}
