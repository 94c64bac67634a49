import {join} from 'node:path'
import {JpError} from '../../errors/jp-error.js'
import {readTextIfPresent} from '../../platform/files.js'
import type {PackageFiles} from './package-facts.js'
import type {PackedFile} from './tarball.js'

const maxJsonBytes = 4 * 1024 * 1024

/** The two JSON files of an installed package, or why they can't be read. */
export const readPackageFiles = (root: string): PackageFiles | {readonly reason: string} => {
  try {
    const text = readTextIfPresent(join(root, 'package.json'), {maxBytes: maxJsonBytes})
    if (text === undefined) return {reason: `There is no package.json in ${root}.`}
    const manifest = readTextIfPresent(join(root, 'oclif.manifest.json'), {maxBytes: maxJsonBytes})
    return {packageJson: JSON.parse(text), oclifManifest: manifest === undefined ? undefined : parseOr(manifest)}
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error)
    return {reason: `The package.json in ${root} can't be read: ${what.replace(/\.$/, '')}.`}
  }
}

/**
 * The same two out of an archive.
 * @throws JpError `plugin_archive_invalid`.
 */
export const packageFilesIn = (files: readonly PackedFile[], source: string): PackageFiles => {
  const textOf = (path: string): string | undefined => {
    const content = files.find((file) => file.path === path)?.content
    if (content === undefined || content.length > maxJsonBytes) return undefined
    return content.toString('utf8').replace(/^\ufeff/, '')
  }
  const text = textOf('package.json')
  if (text === undefined) throw new JpError('plugin_archive_invalid', `${source} holds no package.json.`)
  const manifest = textOf('oclif.manifest.json')
  try {
    return {packageJson: JSON.parse(text), oclifManifest: manifest === undefined ? undefined : parseOr(manifest)}
  } catch (error) {
    throw new JpError('plugin_archive_invalid', `The package.json in ${source} is not JSON.`, {cause: error})
  }
}

/** A generated manifest that does not parse counts as none: `package.json` is authoritative. */
const parseOr = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
