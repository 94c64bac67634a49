import {existsSync, statSync} from 'node:fs'
import {isAbsolute, join, resolve} from 'node:path'
import {JpError} from '../../errors/jp-error.js'
import {type PackageName, parsePackageName} from '../../platform/id-grammar.js'

/** Where a package comes from (P15). */
export type PackageSource =
  | {readonly kind: 'registry'; readonly name: PackageName; readonly range: string}
  | {readonly kind: 'url'; readonly url: string}
  | {readonly kind: 'file'; readonly path: string}
  | {readonly kind: 'folder'; readonly path: string}
  | {readonly kind: 'git'; readonly url: string; readonly ref: string | undefined}
  /** A tarball that is shipped with jp, by the name of its file. */
  | {readonly kind: 'shipped'; readonly file: string}

/** Where the words of a spec are looked up. */
export type SourcePlace = {readonly cwd: string; readonly homeDir: string}

/**
 * Reads what a user typed behind `jp plugins install`: a path to a tarball or a folder, the URL of a tarball or of a git
 * repository, or the name of an npm package with a version, a range or a tag.
 * @throws JpError `plugin_source_invalid`, `file_not_found`.
 */
export const parseSource = (spec: string, place: SourcePlace): PackageSource => {
  const git = gitSource(spec)
  if (git !== undefined) return git
  if (/^https?:\/\//i.test(spec)) return {kind: 'url', url: spec}
  if (/^file:/i.test(spec)) return pathSource(spec.replace(/^file:(?:\/\/(?=\/))?/i, ''), place)
  if (looksLikePath(spec)) return pathSource(spec, place)
  const at = spec.indexOf('@', 1)
  const name = parsePackageName(at === -1 ? spec : spec.slice(0, at))
  const range = at === -1 ? 'latest' : spec.slice(at + 1)
  if (name === undefined || !/^[0-9A-Za-z^~<>=.*|+ -]+$/.test(range)) throw invalid(spec, place)
  return {kind: 'registry', name, range}
}

const looksLikePath = (spec: string): boolean =>
  /^(?:\.{1,2}(?:\/|\\|$)|~\/)/.test(spec) || isAbsolute(spec) || /\.(?:tgz|tar\.gz)$/i.test(spec)

const pathSource = (typed: string, {cwd, homeDir}: SourcePlace): PackageSource => {
  const path = typed.startsWith('~/') ? join(homeDir, typed.slice(2)) : resolve(cwd, typed)
  const stat = statSync(path, {throwIfNoEntry: false})
  if (stat === undefined) throw new JpError('file_not_found', `There is nothing at ${path}.`)
  if (stat.isDirectory()) return {kind: 'folder', path}
  if (stat.isFile()) return {kind: 'file', path}
  throw new JpError('plugin_source_invalid', `${path} is neither a folder nor a tarball.`)
}

/** `git+https://…`, `git@host:path`, `ssh://…`, or what ends in `.git`; a branch, tag or commit after `#`. */
const gitSource = (spec: string): PackageSource | undefined => {
  const [, address = '', ref] = /^([^#]*)(?:#(.*))?$/s.exec(spec) ?? []
  const isGit = /^git\+|^(?:git|ssh):\/\/|^[\w.-]+@[\w.-]+:/i.test(address) || /^https?:.*\.git$/i.test(address)
  if (!isGit) return undefined
  const url = address.replace(/^git\+/i, '')
  // `ext::` and its like run a command; a leading dash would be a flag.
  if (!/^(?:https?|ssh|git|file):\/\/|^[\w.-]+@[\w.-]+:/i.test(url))
    throw new JpError('plugin_source_invalid', `${spec} is no address of a git repository.`)
  if (ref !== undefined && !/^[\w./][\w./@+-]*$/.test(ref))
    throw new JpError('plugin_source_invalid', `"${ref}" is no branch, tag or commit.`)
  return {kind: 'git', url, ref: ref === '' ? undefined : ref}
}

const invalid = (spec: string, {cwd}: SourcePlace): JpError =>
  new JpError('plugin_source_invalid', `"${spec}" is no package that could be installed.`, {
    hint: existsSync(resolve(cwd, spec))
      ? `To install the folder or file of that name: jp plugins install ./${spec}`
      : 'Give an npm name (notes, @scope/notes@1.2.0), a tarball, a folder (./notes), or git+https://…',
  })

/** A source in the words that a user could type. */
export const sourceText = (source: PackageSource): string => {
  switch (source.kind) {
    case 'registry':
      return source.range === 'latest' ? source.name : `${source.name}@${source.range}`
    case 'url':
      return source.url
    case 'file':
    case 'folder':
      return source.path
    case 'git':
      return `git+${source.url}${source.ref === undefined ? '' : `#${source.ref}`}`
    case 'shipped':
      return 'shipped with jp'
  }
}
