import {chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {JpError} from '../../errors/jp-error.js'
import {resolveInside} from '../../platform/contained-path.js'
import {writeFailure} from '../../platform/file-errors.js'
import {runNpm, type ToolPlace} from './npm.js'
import type {PackageFacts} from './package-facts.js'
import type {PackedFile} from './tarball.js'

/** A package that was read and found good. */
export type CheckedPackage = {
  readonly tarball: Buffer
  readonly files: readonly PackedFile[]
  readonly facts: PackageFacts
}

/**
 * Lays a package out below `folder`, with all that it depends on: `node_modules/<name>` and its siblings, as Node looks
 * them up. No script of any package runs.
 * @throws JpError `disk_full`, `file_unwritable`, and as {@link runNpm} for dependencies.
 */
export const unpackPackage = async (checked: CheckedPackage, folder: string, place: ToolPlace): Promise<void> => {
  const {facts, files} = checked
  if (facts.needsDependencies) await installWithDependencies(checked, folder, place)
  const root = join(folder, 'node_modules', facts.npmName)
  // Written by us from the bytes that were checked, also where npm has laid it out before.
  writeFiles(files, root)
}

const writeFiles = (files: readonly PackedFile[], root: string): void => {
  for (const {path, isExecutable, content} of files) {
    const file = resolveInside(root, path)
    try {
      mkdirSync(dirname(file), {recursive: true, mode: 0o700})
      rmSync(file, {force: true})
      writeFileSync(file, content, {mode: isExecutable ? 0o700 : 0o600, flag: 'wx'})
      chmodSync(file, isExecutable ? 0o700 : 0o600)
    } catch (error) {
      throw writeFailure(file, error)
    }
  }
}

/** Dependencies come from a registry alone: what git, a URL or a folder gives has no integrity. */
const installWithDependencies = async (
  {tarball, facts}: CheckedPackage,
  folder: string,
  place: ToolPlace,
): Promise<void> => {
  const archive = join(folder, 'package.tgz')
  const project = join(folder, 'package.json')
  try {
    writeFileSync(archive, tarball, {mode: 0o600})
    writeFileSync(project, JSON.stringify({private: true, dependencies: {[facts.npmName]: 'file:./package.tgz'}}))
  } catch (error) {
    throw writeFailure(folder, error)
  }
  await runNpm(
    [
      'install',
      '--omit=dev',
      '--no-bin-links',
      '--no-package-lock',
      '--install-strategy=hoisted',
      '--allow-git=none',
      '--allow-remote=none',
      '--allow-file=root',
      '--allow-directory=none',
    ],
    folder,
    place,
  )
  rmSync(archive)
  rmSync(project)
  rmSync(join(folder, 'node_modules', '.package-lock.json'), {force: true})
  refuseStrangers(join(folder, 'node_modules'), folder)
}

/** What npm laid out holds files and folders alone, none of them a link that leads out. */
const refuseStrangers = (directory: string, folder: string): void => {
  for (const entry of readdirSync(directory, {withFileTypes: true})) {
    const path = join(directory, entry.name)
    if (entry.isDirectory()) refuseStrangers(path, folder)
    else if (!entry.isFile()) {
      throw new JpError(
        'plugin_archive_invalid',
        `A dependency holds ${path.slice(folder.length + 1)}, which is no file.`,
        {
          hint: 'Nothing was installed.',
        },
      )
    }
  }
}
