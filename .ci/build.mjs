// Builds dist/: one file for all of jp, in which a module is evaluated when it is first imported; one file for each package
// that jp imports lazily (docs/decisions/0001). Then the manual pages and oclif.manifest.json, from the built commands.
import '../test/support/typescript-imports.mjs'
import {mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {createRequire} from 'node:module'
import {join, relative} from 'node:path'
import {fileURLToPath} from 'node:url'
import {build, transform} from 'esbuild'
import {lazyOclif} from './lazy-oclif.mjs'
import {packPlugins} from './pack-plugins.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const dist = join(root, 'dist')

const commands = readdirSync(join(root, 'commands'), {recursive: true, withFileTypes: true})
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
  .map((entry) => relative(join(root, 'commands'), join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
  .sort()
const idOf = (file) => file.replace(/\.ts$/, '').replaceAll('/', ':')

/** `jp:commands`, the map from a command's id to its module: declared in src/cli/command-modules.d.ts. */
const commandModules = {
  name: 'command-modules',
  setup(builder) {
    builder.onResolve({filter: /^jp:commands$/}, () => ({path: 'jp:commands', namespace: 'jp'}))
    builder.onLoad({filter: /.*/, namespace: 'jp'}, () => ({
      resolveDir: root,
      contents: `export const commandModules = {${commands
        .map((file) => `${JSON.stringify(idOf(file))}: () => import('./commands/${file}')`)
        .join(',')}}`,
    }))
  },
}

const fileOf = (specifier) => `${specifier.replaceAll(/[^a-z0-9]+/gi, '-').replace(/^-/, '')}.js`
const imported = new Set()

/** What jp imports from npm becomes a file of its own; oclif alone is part of the one file, and native addons stay where they are. */
const packagesApart = {
  name: 'packages-apart',
  setup(builder) {
    builder.onResolve({filter: /^[^./]/}, ({path, importer, kind}) => {
      const ours = /^(?:src|commands)[\\/]/.test(relative(root, importer))
      if (!ours || kind === 'entry-point' || /^(?:node:|jp:|@oclif\/core|zod$)/.test(path)) return undefined
      imported.add(path)
      return {path: `./packages/${fileOf(path)}`, external: true}
    })
  },
}

const shared = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node22',
  minifySyntax: true,
  minifyWhitespace: true,
  logLevel: 'warning',
  external: ['fs-native-extensions'],
}
const asCommonJs = {format: 'cjs', supported: {'dynamic-import': false}}
const aboutFile = {
  'import.meta.dirname': '__dirname',
  'import.meta.filename': '__filename',
  'import.meta.url': 'jpFileUrl',
}

rmSync(dist, {recursive: true, force: true})
mkdirSync(join(dist, 'packages'), {recursive: true})
writeFileSync(join(dist, 'package.json'), '{"type": "commonjs"}\n')

const buildOneFile = (entry, outfile) =>
  build({
    ...shared,
    ...asCommonJs,
    entryPoints: [entry],
    outfile,
    define: aboutFile,
    plugins: [commandModules, packagesApart, lazyOclif()],
  })

await buildOneFile('src/cli/entry.ts', join(dist, 'entry.js'))

/** What a child runs for a package of oclif commands; it imports the oclif that the package brings (docs/decisions/0003). */
await build({
  ...shared,
  minifyWhitespace: false,
  format: 'cjs',
  supported: {'dynamic-import': true},
  entryPoints: ['plugins/sdk/src/runner/main.ts'],
  outfile: join(dist, 'runner.js'),
  define: {'import.meta.filename': '__filename'},
})

packPlugins(root, dist)

/** Packages that are ES modules share what they have in common; each chunk becomes CommonJS, so that jp can require it. */
const buildPackages = async (specifiers) => {
  const entryPoints = Object.fromEntries(
    specifiers.map((specifier) => [fileOf(specifier).replace(/\.js$/, ''), specifier]),
  )
  const banner = {js: "const jpFileUrl=require('node:url').pathToFileURL(__filename).href;"}
  const {outputFiles, metafile} = await build({
    ...shared,
    entryPoints,
    outdir: join(dist, 'packages'),
    splitting: true,
    format: 'esm',
    define: aboutFile,
    write: false,
    metafile: true,
    chunkNames: 'shared-[hash]',
  })
  const commonJs = new Set(
    Object.values(metafile.outputs).flatMap(({entryPoint}) =>
      entryPoint !== undefined && metafile.inputs[entryPoint].format === 'cjs' ? [join(root, entryPoint)] : [],
    ),
  )
  const names = new Map(
    Object.entries(metafile.outputs).map(([file, {entryPoint}]) => [
      join(root, file),
      entryPoint && join(root, entryPoint),
    ]),
  )
  for (const {path, text} of outputFiles) {
    const entry = names.get(path)
    if (entry !== undefined && commonJs.has(entry)) {
      await build({...shared, format: 'cjs', entryPoints: [entry], outfile: path})
      continue
    }
    const {code} = await transform(text, {...asCommonJs, platform: 'node', target: 'node22', minifyWhitespace: true})
    writeFileSync(path, code.includes('jpFileUrl') ? `${banner.js}${code}` : code)
  }
}
await buildPackages([...imported])

const {version} = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const manifest = {version, commands: {}}
const everyCommand = join(dist, 'every-command.js')
await buildOneFile('jp:commands', everyCommand)
const built = createRequire(import.meta.url)(everyCommand).commandModules
rmSync(everyCommand)
for (const file of commands) {
  const {default: Command} = await built[idOf(file)]()
  manifest.commands[idOf(file)] = describe(idOf(file), Command, file)
}
writeFileSync(join(root, 'oclif.manifest.json'), `${JSON.stringify(manifest)}\n`)

const {renderManPages} = await import('../src/cli/reference/man-pages.ts')
mkdirSync(join(dist, 'man'))
for (const {name, text} of renderManPages(Object.values(manifest.commands), version))
  writeFileSync(join(dist, 'man', name), text)

/** The shape that oclif writes, plus the static properties of jp (W10). */
function describe(id, Command, file) {
  const plain = (value) => JSON.parse(JSON.stringify(value ?? null)) ?? undefined
  const entries = (definitions) =>
    Object.fromEntries(
      Object.entries(definitions ?? {}).map(([name, definition]) => [name, {name, ...plain(definition)}]),
    )
  return {
    id,
    aliases: Command.aliases ?? [],
    hiddenAliases: Command.hiddenAliases ?? [],
    args: entries(Command.args),
    flags: entries({...Command.baseFlags, ...Command.flags}),
    summary: Command.summary,
    description: Command.description,
    examples: plain(Command.examples),
    usage: plain(Command.usage),
    hidden: Command.hidden === true ? true : undefined,
    strict: Command.strict,
    requirement: Command.requirement,
    manyWorkspaces: Command.manyWorkspaces === true ? true : undefined,
    pluginName: 'jp',
    pluginType: 'core',
    relativePath: ['dist', 'commands', ...file.replace(/\.ts$/, '.js').split('/')],
  }
}
