import {JpError} from '../../errors/jp-error.js'
import {builtin} from '../../platform/builtin.js'
import type {HostEnvironment} from '../../platform/host-environment.js'
import {type PluginName, parsePluginName} from '../../platform/id-grammar.js'
import {processorArchitecture} from '../../platform/package-root.js'
import {tooNew} from '../admission.js'
import {type BuiltIns, unreachableClaim} from '../builtins.js'
import {hostProtocol, manifestInvalid} from '../manifest.js'
import {isOfficial, manifestOf, type Plugin, placeOf} from '../plugin.js'
import {isNodeModule} from '../program.js'
import type {FetchedPackage} from './fetch-package.js'
import {type PackageFacts, readPackageFacts} from './package-facts.js'
import {packageFilesIn} from './package-files.js'
import {type PackedFile, readTarball} from './tarball.js'
import type {CheckedPackage} from './unpack.js'

/** What a package is checked against. */
export type CheckPlace = {
  readonly builtIns: BuiltIns
  readonly environment: HostEnvironment
  /** Every plugin that there is. */
  readonly plugins: readonly Plugin[]
  /** It takes the place of no third party's plugin, but may stand beside one. */
  readonly isOfficial: boolean
}

/** `sha512-…`, as npm writes it. */
export const integrityOf = (bytes: Buffer): string =>
  `sha512-${builtin('node:crypto').createHash('sha512').update(bytes).digest('base64')}`

/**
 * Reads a fetched package from its bytes and refuses what could not run (FR-39). Nothing is written, nothing of it runs.
 * @param source named in errors.
 * @throws JpError `plugin_integrity_mismatch`, `plugin_archive_invalid`, `plugin_manifest_invalid`, `plugin_too_new`,
 * `plugin_claim_taken`, `plugin_clash`, `plugin_unsuitable`.
 */
export const checkPackage = (fetched: FetchedPackage, source: string, place: CheckPlace): CheckedPackage => {
  const {tarball, promised} = fetched
  checkIntegrity(tarball, promised, source)
  const files = readTarball(tarball, source)
  const facts = readPackageFacts(packageFilesIn(files, source), source)
  refuseForeignMachine(facts, place.environment.platform)
  refuseEntry(facts, files, source)
  refuseClaims(facts, place)
  return {tarball, files, facts}
}

/** Only the strongest digest of what was promised counts, and SHA-1 is no promise. */
const checkIntegrity = (tarball: Buffer, promised: string | undefined, source: string): void => {
  const wanted = promised?.split(/\s+/).find((part) => part.startsWith('sha512-'))
  if (wanted === undefined) return
  const got = integrityOf(tarball)
  if (got === wanted) return
  throw new JpError(
    'plugin_integrity_mismatch',
    `${source} sent other bytes than it promised: want ${wanted}, got ${got} (${tarball.length} bytes).`,
    {hint: 'Nothing was installed. Do not install it from there until its author explains this.'},
  )
}

/** npm's rule: a list of names, or of names with `!` that are not meant. */
const admits = (list: readonly string[], here: string): boolean =>
  list.length === 0 ||
  (!list.includes(`!${here}`) &&
    (list.includes(here) || list.includes('any') || list.every((name) => name.startsWith('!'))))

const refuseForeignMachine = ({npmName, os, cpu}: PackageFacts, platform: NodeJS.Platform): void => {
  const arch = processorArchitecture()
  const [what, here] = admits(os, platform) ? [cpu, arch] : [os, platform]
  if (admits(what, here)) return
  throw new JpError('plugin_unsuitable', `${npmName} is for ${what.join(', ')}; this machine is ${here}.`, {
    hint: 'Nothing was installed.',
  })
}

const refuseEntry = ({entry, npmName}: PackageFacts, files: readonly PackedFile[], source: string): void => {
  if (entry === undefined) return
  const file = files.find(({path}) => path === entry)
  if (file === undefined) {
    throw manifestInvalid(`${source}/package.json`, `"entry" is ${entry}, and the package holds no such file`)
  }
  if (isNodeModule(entry)) {
    if (/\.[cm]?ts$/.test(entry))
      throw manifestInvalid(`${source}/package.json`, '"entry" is TypeScript, which Node runs in linked folders only')
    return
  }
  if (!file.isExecutable) {
    throw manifestInvalid(
      `${source}/package.json`,
      `"entry" is ${entry}, which is neither a Node module nor executable`,
    )
  }
  const built = machineOf(file.content)
  if (built !== undefined && built !== processorArchitecture()) {
    throw new JpError(
      'plugin_unsuitable',
      `${entry} of ${npmName} is built for ${built}; this machine is ${processorArchitecture()}.`,
    )
  }
}

const machines: Readonly<Record<number, string>> = {
  0x03: 'ia32',
  0x28: 'arm',
  0x3e: 'x64',
  0xb7: 'arm64',
  0xf3: 'riscv64',
}

/** The processor that an ELF file is for, in Node's words. */
const machineOf = (content: Buffer): string | undefined =>
  content.length > 20 && content.readUInt32BE(0) === 0x7f454c46 ? machines[content.readUInt16LE(18)] : undefined

const refuseClaims = (facts: PackageFacts, place: CheckPlace): void => {
  for (const manifest of facts.manifests) {
    const name = parsePluginName(manifest.command.join('-'))
    if (name === undefined)
      throw manifestInvalid(`${facts.npmName}/package.json`, 'its claim makes no name that a plugin can have')
    if (manifest.protocol > hostProtocol) throw tooNew(name, manifest.protocol)
    const blocked = unreachableClaim(manifest.command, place.builtIns)
    if (blocked !== undefined) {
      throw new JpError(
        'plugin_claim_taken',
        `${facts.npmName} claims "jp ${manifest.command.join(' ')}", which could never be reached: ${blocked}, and built-in commands win.`,
        {hint: 'Nothing was installed.'},
      )
    }
    const rival = rivalOf(facts, {name, command: manifest.command}, place)
    if (rival !== undefined) {
      throw new JpError(
        'plugin_clash',
        `${facts.npmName} claims "jp ${manifest.command.join(' ')}", and so does ${shownRival(rival)}.`,
        {hint: `Nothing was installed. To remove the other: ${removalOf(rival)}`},
      )
    }
  }
}

/** Another plugin of this name or claim. Ours and a third party's may stand side by side (P6). */
const rivalOf = (
  {npmName}: PackageFacts,
  {name, command}: {name: PluginName; command: readonly string[]},
  {plugins, isOfficial: asOfficial}: CheckPlace,
): Plugin | undefined =>
  plugins
    .filter(({origin}) => origin.kind !== 'package' || origin.npmName !== npmName)
    .filter((plugin) => isOfficial(plugin) === asOfficial)
    .find((plugin) => plugin.name === name || manifestOf(plugin)?.command.join(' ') === command.join(' '))

const shownRival = (rival: Plugin): string =>
  rival.origin.kind === 'package' ? `the package ${rival.origin.npmName}` : placeOf(rival)

const removalOf = (rival: Plugin): string =>
  rival.origin.kind === 'package' ? `jp plugins uninstall ${rival.origin.npmName}` : `rm ${placeOf(rival)}`
