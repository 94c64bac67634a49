import {join} from 'node:path'
import {type Run, repository, runJp} from './jp.js'
import {type NpmRegistry, startNpmRegistry} from './npm-registry.js'
import {createScratch, type Scratch} from './scratch.js'
import {packageTarball} from './tar.js'

/** The program of a package that prints one line, and the arguments that it was given. */
export const sayer = (text: string): string =>
  [
    `require('node:readline').createInterface({input: process.stdin}).once('line', (line) => {`,
    `  const say = (message) => process.stdout.write(JSON.stringify(message) + '\\n')`,
    `  say({type: 'print', text: [${JSON.stringify(text)}, ...JSON.parse(line).args].join(' ') + '\\n'})`,
    `  say({type: 'exit', code: 0})`,
    `  process.stdin.destroy()`,
    `})`,
  ].join('\n')

/** What a package of a test is made of. */
export type SamplePackage = {
  readonly name?: string
  readonly version?: string
  /** Fields of `oclif.jp`, over a claim `notes`. */
  readonly jp?: Readonly<Record<string, unknown>>
  /** Further fields of `package.json`. */
  readonly fields?: Readonly<Record<string, unknown>>
  readonly files?: Readonly<Record<string, string>>
  /** What it prints. */
  readonly text?: string
}

/** The `package.json` and the files of a sample. */
export const samplePackage = ({
  name = 'jp-notes',
  version = '1.0.0',
  jp,
  fields,
  files,
  text = 'ran',
}: SamplePackage = {}) => ({
  manifest: {
    name,
    version,
    oclif: {jp: {protocol: 1, description: 'Take notes', command: ['notes'], entry: './main.js', ...jp}},
    ...fields,
  },
  files: {'main.js': sayer(text), ...files},
})

/** The tarball of a sample. */
export const sampleTarball = (sample: SamplePackage = {}): Buffer => {
  const {manifest, files} = samplePackage(sample)
  return packageTarball(manifest, files)
}

/** A place to install packages in: a scratch folder with a checkout, and a registry. */
export type PackageBench = {
  readonly scratch: Scratch
  readonly registry: NpmRegistry
  readonly root: string
  readonly env: Readonly<Record<string, string>>
  jp(...args: string[]): Promise<Run>
  /** Writes the files of a sample to a folder; gives its path. */
  folder(name: string, sample?: SamplePackage): string
  /** Writes the tarball of a sample; gives its path. */
  tarball(name: string, sample?: SamplePackage | Buffer): string
  /** The index of the store. */
  readonly store: string
  close(): Promise<void>
}

/** Opens one. */
export const openPackageBench = async (): Promise<PackageBench> => {
  const scratch = createScratch()
  const registry = await startNpmRegistry()
  const root = scratch.checkout('work', 'abcde')
  const env = {
    ...scratch.env,
    ...registry.env,
    npm_config_cache: join(scratch.path, 'npm-cache'),
    npm_config_fetch_retry_mintimeout: '10',
    npm_config_fetch_retry_maxtimeout: '20',
  }
  return {
    scratch,
    registry,
    root,
    env,
    store: join(scratch.data, 'plugins', 'packages'),
    jp: (...args) => runJp(args, {cwd: root, env, timeoutMs: 110_000}),
    folder(name, sample) {
      const {manifest, files} = samplePackage(sample)
      scratch.write(`${name}/package.json`, JSON.stringify(manifest))
      for (const [path, text] of Object.entries(files)) scratch.write(`${name}/${path}`, text)
      return join(scratch.path, name)
    },
    tarball: (name, sample) => scratch.write(name, Buffer.isBuffer(sample) ? sample : sampleTarball(sample)),
    async close() {
      await registry.close()
      scratch.remove()
    },
  }
}

/** Publishes an `@oclif/core` that is the one of jp. */
export const publishOclif = (registry: NpmRegistry): void => {
  const core = join(repository, 'node_modules', '@oclif', 'core', 'lib', 'index.js')
  registry.publish({
    tarball: packageTarball(
      {name: '@oclif/core', version: '5.1.9', main: 'index.js'},
      {'index.js': `module.exports = require(${JSON.stringify(core)})`},
    ),
  })
}
