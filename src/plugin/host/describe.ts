import {JpError} from '../../errors/jp-error.js'
import type {HostEnvironment} from '../../platform/host-environment.js'
import {createLineFramer, encodeLine} from '../../platform/json-lines.js'
import type {ToHostOf} from '../../protocol/plugin-to-host.js'
import {type Manifest, manifestFields, readManifest, sameManifest} from '../manifest.js'
import {type PluginProgram, startPlugin} from './start-plugin.js'

/** What a plugin says of itself when it is asked. */
export type Description = ToHostOf<'describe'>

/** How long an answer to `describe` is waited for (P19). Unit: milliseconds. */
const describeMs = 5000
const maxLineBytes = 16 * 1024 * 1024

/**
 * Runs a plugin for its description alone: `describe` goes in, one line comes out, and the group is ended. It must have
 * been admitted before.
 * @throws JpError `plugin_misbehaved`, `child_failed`.
 */
export const describePlugin = async (plugin: PluginProgram, environment: HostEnvironment): Promise<Description> => {
  const child = await startPlugin(plugin, environment)
  const {readPluginLine} = await import('../../protocol/read-plugin-line.js')
  const misbehaved = (what: string): JpError =>
    new JpError('plugin_misbehaved', `The plugin "${plugin.name}" ${what}.`, {
      hint: `Its file is ${plugin.program.originalPath}.`,
    })
  try {
    const line = await new Promise<string>((resolve, reject) => {
      const timer = setTimeout(() => reject(misbehaved('did not answer "describe" within 5 s')), describeMs)
      const settle = (end: () => void): void => {
        clearTimeout(timer)
        end()
      }
      const framer = createLineFramer(
        {
          line: (text) => text.trim() !== '' && settle(() => resolve(text)),
          tooLong: () => settle(() => reject(misbehaved('answered "describe" with a line over 16 MiB'))),
          notUtf8: () => settle(() => reject(misbehaved('answered "describe" with bytes that are not UTF-8'))),
        },
        maxLineBytes,
      )
      child.stdout.on('data', (bytes: Buffer) => framer.push(bytes))
      child.stdout.once('end', () => {
        framer.end()
        settle(() => reject(misbehaved('ended without answering "describe"')))
      })
      child.stderr.resume()
      child.stdin?.on('error', () => undefined)
      child.stdin?.end(encodeLine({type: 'describe'}))
    })
    const read = readPluginLine(line)
    if (read?.kind === 'message' && read.message.type === 'describe') return read.message
    const why = read === undefined || read.kind === 'message' ? 'it is no "describe" message' : read.reason
    throw misbehaved(`answered "describe" wrongly: ${why}`)
  } finally {
    await child.endGroup(0)
  }
}

/** The facts of a description that a manifest holds. Help is text for people: what it may hold is the printer's business. */
const manifestIn = ({protocol, description, command, workspace_scope}: Description, file: string): Manifest =>
  readManifest({protocol, description, command, workspace_scope}, file)

/** As {@link describePlugin}, for the facts that a manifest holds: for a file without one (S4). */
export const describeManifest = async (plugin: PluginProgram, environment: HostEnvironment): Promise<Manifest> =>
  readManifest(await describePlugin(plugin, environment), plugin.program.originalPath)

/**
 * As {@link describePlugin}, for a plugin that has a manifest: the two must agree (S3).
 * @throws JpError `plugin_misbehaved` too, naming both.
 */
export const describeAgainst = async (
  manifest: Manifest,
  plugin: PluginProgram,
  environment: HostEnvironment,
): Promise<Description> => {
  const description = await describePlugin(plugin, environment)
  const told = manifestIn(description, plugin.program.originalPath)
  if (sameManifest(told, manifest)) return description
  const shown = (facts: Manifest): string => JSON.stringify(manifestFields(facts))
  throw new JpError(
    'plugin_misbehaved',
    `The plugin "${plugin.name}" describes itself as ${shown(told)}, its manifest as ${shown(manifest)}.`,
    {hint: 'Report it to the author of the plugin: the two must agree.'},
  )
}
