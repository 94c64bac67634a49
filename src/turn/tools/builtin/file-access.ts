import {existsSync} from 'node:fs'
import {isAbsolute, join, relative, resolve} from 'node:path'
import {JpError} from '../../../errors/jp-error.js'
import {canonicalIfPresent, canonicalTarget, isInside, resolveInside} from '../../../platform/contained-path.js'
import type {ToolSettings} from '../tool-settings.js'

/** What a call does with a path. */
export type FileUse = 'read' | 'create' | 'update'

/** A path that a call may use: where it is, and what it is called to the model. */
export type UsablePath = {
  readonly path: string
  readonly shown: string
  /** What it was proven to lie inside: the checkout, or what `access.fs` opens beside it. */
  readonly base: string
  /** What `base` is called; empty for the checkout. */
  readonly prefix: string
}

/** A file below a usable path as a model names it; `file` is its way from the path's base. */
export const shownIn = ({prefix}: Pick<UsablePath, 'prefix'>, file: string): string =>
  prefix === '' ? file : `${prefix}/${file}`

/** What built-in tools may touch: the checkout, and what `access.fs` of the tool says beside it or against it. */
export interface FileAccess {
  /** @throws JpError `file_refused` for a path that lies elsewhere, or that may not be used so. */
  use(written: string, use: FileUse): UsablePath
  /** As {@link use} for writing: a new file is created, one that is there is updated. */
  change(written: string): UsablePath
  /** Whether a file below a folder that may be read may be read too. */
  mayRead(path: string): boolean
  /** What lies outside the checkout, in words for the model; empty for nothing. */
  readonly outside: string
}

type Setting = NonNullable<NonNullable<ToolSettings['access']>['fs']>[number]

/** One entry of `access.fs`. `paths`: as it stands, and with every link resolved. */
type Grant = {readonly setting: Setting; readonly path: string; readonly paths: readonly string[]}

/** Where paths are meant from, and whose settings count. */
export type AccessPlace = {
  readonly root: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly access?: ToolSettings['access']
}

/**
 * What a tool may touch (W26, W32, facts 7.6). Inside the checkout everything is open but what an entry closes; outside it
 * nothing but what an entry with `external` opens: for reading, unless it says otherwise, and for writing when it says so.
 * Of several entries the one with the longest path counts.
 */
export const createFileAccess = ({root, env, access}: AccessPlace): FileAccess => {
  const grants = (access?.fs ?? []).map((setting) => grantOf(setting, root, env['HOME']))
  const mounts = grants.filter(({setting}) => setting.name !== undefined)
  const home = canonicalTarget(root)

  const locate = (written: string): UsablePath => {
    const mount = mounts.find(({setting: {name = ''}}) => written === name || written.startsWith(`${name}/`))
    if (mount !== undefined) {
      const {name = ''} = mount.setting
      const way = relative(name, written) || '.'
      return {path: resolveInside(mount.path, way), shown: written, base: mount.path, prefix: name}
    }
    const path = isAbsolute(written) ? resolve(written) : resolve(root, written)
    const opened = grants.filter(({setting}) => setting.external === true)
    const external = longest(isInside(root, path) ? opened.filter((one) => isInside(root, one.path)) : opened, path)
    if (external !== undefined) {
      resolveInside(external.path, relative(external.path, path) || '.')
      return {path, shown: written, base: external.path, prefix: external.path}
    }
    const inside = resolveInside(root, isAbsolute(written) ? relative(root, written) : join('.', written))
    return {path: inside, shown: relative(root, inside), base: root, prefix: ''}
  }

  /** Both the path and where its links lead must be open. */
  const isOpen = (path: string, use: FileUse): boolean =>
    [path, canonicalTarget(path)].every((one) =>
      opens(longest(grants, one), use, isInside(root, one) || isInside(home, one)),
    )

  const used = (written: string, use: FileUse, at = locate(written)): UsablePath => {
    if (isOpen(at.path, use)) return at
    throw new JpError('file_refused', `${written} may not be ${useWords[use]}: access.fs of the tool says so.`)
  }
  return {
    use: (written, use) => used(written, use),
    change(written) {
      const at = locate(written)
      refuseOwned(written, at)
      return used(written, existsSync(at.path) ? 'update' : 'create', at)
    },
    mayRead: (path) => grants.length === 0 || isOpen(path, 'read'),
    outside: grants
      .filter(({setting}) => setting.external === true || setting.name !== undefined)
      .map((grant) => `${grant.setting.name ?? grant.path} (${usesOf(grant).join(', ')})`)
      .join(', '),
  }
}

const useWords = {read: 'read', create: 'created', update: 'changed'} as const satisfies Record<FileUse, string>

const grantOf = (setting: Setting, root: string, home: string | undefined): Grant => {
  const typed =
    /^~(?=$|[/\\])/.test(setting.path) && home !== undefined ? join(home, setting.path.slice(1)) : setting.path
  const path = resolve(root, typed)
  const canonical = canonicalIfPresent(path)
  return {setting, path, paths: canonical === undefined || canonical === path ? [path] : [path, canonical]}
}

const longest = (grants: readonly Grant[], path: string): Grant | undefined =>
  grants
    .filter(({paths}) => paths.some((one) => isInside(one, path)))
    .reduce<Grant | undefined>(
      (best, one) => (best === undefined || one.path.length > best.path.length ? one : best),
      undefined,
    )

const opens = (grant: Grant | undefined, use: FileUse, isInCheckout: boolean): boolean => {
  if (grant === undefined) return isInCheckout
  const {setting} = grant
  if (!isInCheckout && setting.external !== true) return false
  const said = use === 'read' ? setting.read : (setting[use] ?? setting.write)
  return said ?? (isInCheckout || use === 'read')
}

const usesOf = (grant: Grant): readonly string[] =>
  (['read', 'create', 'update'] as const).filter((use) => opens(grant, use, false))

/** What decides how jp and git behave is not for tools to write, by whatever way a path leads there. */
const refuseOwned = (written: string, {path, base, prefix}: UsablePath): void => {
  const parts = (from: string, to: string): string[] => [
    ...(prefix === '' ? [] : from.split(/[\\/]/)),
    ...relative(from, to).split(/[\\/]/),
  ]
  const ways = [parts(base, path), parts(canonicalTarget(base), canonicalTarget(path))]
  const owner = ways.map((names) => ownerOf(names.map((name) => name.toLowerCase()))).find((one) => one !== undefined)
  if (owner === undefined) return
  throw new JpError('file_refused', `${written} belongs to ${owner} itself; built-in tools don't change it.`)
}

const ownerOf = (names: readonly string[]): string | undefined => {
  if (names.includes('.git')) return 'git'
  return names.includes('.jp') || names.at(-1)?.startsWith('.jp.') === true ? 'jp' : undefined
}
