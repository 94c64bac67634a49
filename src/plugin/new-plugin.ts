import {chmodSync, readdirSync} from 'node:fs'
import {join} from 'node:path'
import {JpError} from '../errors/jp-error.js'
import {writeFailure} from '../platform/file-errors.js'
import {makeDirectory, readText, writeAtomic} from '../platform/files.js'
import {isTaken} from '../platform/folders.js'
import {parsePackageName, parsePluginName} from '../platform/id-grammar.js'
import {packageRoot} from '../platform/package-root.js'
import {type BuiltIns, unreachableClaim} from './builtins.js'
import {scopeProtocol, type WorkspaceScope} from './manifest.js'

/** The languages that a plugin can be begun in; `oclif` is classes of oclif in JavaScript. */
export const languages = ['typescript', 'shell', 'oclif'] as const
export type Language = (typeof languages)[number]

/** A plugin that is to be begun. */
export type NewPlugin = {
  readonly name: string
  readonly language: Language
  readonly scope: WorkspaceScope
  readonly description: string | undefined
  /** Where its folder is made. */
  readonly parent: string
  readonly builtIns: BuiltIns
}

/** What was made. */
export type BegunPlugin = {readonly name: string; readonly path: string; readonly files: readonly string[]}

/**
 * Makes the folder of a working plugin. It needs no package: the client of the protocol is one of its files (P23).
 * @throws JpError `usage` (a name that can't be), `plugin_claim_taken`, `file_refused` (the folder is there), `file_unwritable`.
 */
export const beginPlugin = (plugin: NewPlugin): BegunPlugin => {
  const {name, language, parent} = plugin
  if (parsePluginName(name) === undefined || parsePackageName(`jp-plugin-${name}`) === undefined) {
    throw new JpError('usage', `"${name}" can't be the name of a plugin.`, {
      hint: 'Use small letters, digits and dashes: it becomes the word behind jp.',
    })
  }
  const blocked = unreachableClaim([name], plugin.builtIns)
  if (blocked !== undefined) throw new JpError('plugin_claim_taken', `A plugin can't be "${name}": ${blocked}.`)
  const folder = join(parent, name)
  if (isTaken(folder)) throw new JpError('file_refused', `${folder} is there already.`, {hint: 'Choose another name.'})
  const templates = join(packageRoot(), 'dist', 'scaffold', language)
  const files = filesBelow(templates, '')
  const fill = filler(plugin)
  for (const file of files) {
    const target = join(folder, fill(file))
    makeDirectory(join(target, '..'), 'umask')
    writeAtomic(
      target,
      file === 'src/jp.ts' ? readText(join(templates, file)) : fill(readText(join(templates, file))),
      'umask',
    )
    if (file.startsWith('jp-')) makeExecutable(target)
  }
  return {name, path: folder, files: files.map(fill)}
}

const makeExecutable = (path: string): void => {
  try {
    chmodSync(path, 0o755)
  } catch (error) {
    throw writeFailure(path, error)
  }
}

const filesBelow = (folder: string, prefix: string): string[] =>
  readdirSync(join(folder, prefix), {withFileTypes: true})
    .sort((left, right) => (left.name < right.name ? -1 : 1))
    .flatMap((entry) =>
      entry.isDirectory() ? filesBelow(folder, `${prefix}${entry.name}/`) : [`${prefix}${entry.name}`],
    )

/** Puts the facts of the plugin in the places of a template. Texts are written as JSON, without their quotes. */
const filler = ({name, scope, description}: NewPlugin) => {
  const isMulti = scope === 'multi'
  const about = JSON.stringify(description ?? `The command jp ${name}`).slice(1, -1)
  const places: Readonly<Record<string, string>> = {
    NAME: name,
    SCOPE: scope,
    PROTOCOL: String(isMulti ? scopeProtocol : 1),
    DESCRIPTION: about,
    // Inside single quotes of a shell.
    QUOTED: about.replaceAll("'", "'\\''"),
    ANSWER: isMulti ? 'workspaces' : 'conversations',
    REQUEST: isMulti ? 'list_workspaces' : 'list_conversations',
    COUNTED: isMulti ? 'slug' : 'events_count',
    THINGS: isMulti ? 'workspaces' : 'conversations',
    ASK: isMulti ? 'jp.listWorkspaces()' : 'jp.listConversations()',
  }
  return (text: string): string => text.replaceAll(/__([A-Z]+)__/g, (whole, key: string) => places[key] ?? whole)
}
