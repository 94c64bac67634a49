// Packs our own plugins into dist/plugins/, so that they install offline, and writes dist/plugins/registry.json with their
// integrities (P8). plugins/registry.json lists the third-party plugins that jp knows.
import {spawnSync} from 'node:child_process'
import {createHash} from 'node:crypto'
import {cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {createRequire} from 'node:module'
import {dirname, join} from 'node:path'
import {buildSync} from 'esbuild'

const packageOf = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

/** The folders of plugins with a manifest; the SDK is none. */
const pluginFolders = (root) =>
  readdirSync(join(root, 'plugins'))
    .map((name) => join(root, 'plugins', name))
    .filter((folder) => existsSync(join(folder, 'package.json')) && packageOf(folder).oclif?.jp !== undefined)

/** npm's own archives: their times are fixed, so the same files always make the same bytes. */
const pack = (folders, destination) => {
  const npm = join(dirname(createRequire(import.meta.url).resolve('npm/package.json')), 'bin', 'npm-cli.js')
  const flags = ['--ignore-scripts', '--no-workspaces', '--loglevel=error', '--offline', '--json']
  const {status, stdout, stderr} = spawnSync(
    process.execPath,
    [npm, 'pack', ...folders, `--pack-destination=${destination}`, ...flags],
    {cwd: destination, encoding: 'utf8'},
  )
  if (status !== 0) throw new Error(`npm pack failed: ${stderr}${stdout}`)
}

/** A plugin with sources becomes one file beside what it serves; it depends on no package then. */
const bundle = (folder) => {
  if (!existsSync(join(folder, 'src', 'main.ts'))) return
  const out = join(folder, 'dist')
  rmSync(out, {recursive: true, force: true})
  buildSync({
    entryPoints: [join(folder, 'src', 'main.ts')],
    outfile: join(out, 'main.cjs'),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    minifySyntax: true,
    minifyWhitespace: true,
    define: {'import.meta.dirname': '__dirname'},
    logLevel: 'warning',
  })
  cpSync(join(folder, 'assets'), join(out, 'assets'), {recursive: true})
}

/** What is begun with `jp plugins new` carries the SDK as files of its own (P23). */
const carrySdk = (sdk, scaffold) => {
  cpSync(join(sdk, 'client.ts'), join(scaffold, 'typescript', 'src', 'jp.ts'))
  const host = readFileSync(join(sdk, 'harness.ts'), 'utf8').replace("'./client.js'", "'../src/jp.ts'")
  writeFileSync(join(scaffold, 'typescript', 'test', 'host.ts'), host)
  buildSync({
    entryPoints: [join(sdk, 'command.ts')],
    outfile: join(scaffold, 'oclif', 'jp-command.js'),
    bundle: true,
    format: 'esm',
    target: 'node22',
    external: ['@oclif/core'],
    banner: {js: '// The base class of the commands of a plugin of jp: this.jp is the connection to jp.'},
    logLevel: 'warning',
  })
}

export const packPlugins = (root, dist) => {
  const destination = join(dist, 'plugins')
  rmSync(destination, {recursive: true, force: true})
  mkdirSync(destination, {recursive: true})
  const folders = pluginFolders(root)
  for (const folder of folders) bundle(folder)
  pack(folders, destination)
  const own = folders.map((folder) => {
    const {name, version, oclif} = packageOf(folder)
    const tarball = `${name}-${version}.tgz`
    const bytes = readFileSync(join(destination, tarball))
    const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`
    const {command, description} = oclif.jp
    const entry = {type: 'command', description, official: true, package: name, version, integrity, tarball}
    return [command.join(' '), {id: command.join('-'), ...entry}]
  })
  const known = JSON.parse(readFileSync(join(root, 'plugins', 'registry.json'), 'utf8'))
  const plugins = {...known.plugins, ...Object.fromEntries(own)}
  writeFileSync(join(destination, 'registry.json'), `${JSON.stringify({version: 1, plugins}, undefined, 2)}\n`)
  cpSync(join(root, 'plugins', 'sdk', 'templates'), join(dist, 'scaffold'), {recursive: true})
  carrySdk(join(root, 'plugins', 'sdk', 'src'), join(dist, 'scaffold'))
}
