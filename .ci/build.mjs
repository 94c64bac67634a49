// Builds dist/ (bundled, one chunk a command), its manual pages, and oclif.manifest.json.
import '../test/support/typescript-imports.mjs'
import {mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {join, relative} from 'node:path'
import {fileURLToPath, pathToFileURL} from 'node:url'
import {build} from 'esbuild'
import {lazyOclif} from './lazy-oclif.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

const filesBelow = (folder) =>
  readdirSync(join(root, folder), {recursive: true, withFileTypes: true})
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))

const commands = filesBelow('commands')
const entryPoints = Object.fromEntries([
  ['entry', 'src/cli/entry.ts'],
  ...commands.map((file) => [file.replace(/\.ts$/, ''), file]),
])

rmSync(join(root, 'dist'), {recursive: true, force: true})
await build({
  absWorkingDir: root,
  entryPoints,
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node22',
  minifySyntax: true,
  minifyWhitespace: true,
  keepNames: true,
  sourcemap: false,
  logLevel: 'warning',
  external: ['fs-native-extensions', '@oclif/plugin-plugins'],
  chunkNames: 'chunks/[name]-[hash]',
  // Bundled CommonJS packages call require for Node's own modules.
  banner: {
    js: "import {createRequire as jpCreateRequire} from 'node:module';const require=jpCreateRequire(import.meta.url);",
  },
  plugins: [lazyOclif()],
})

const {version} = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const manifest = {version, commands: {}}
for (const file of commands) {
  const {default: Command} = await import(pathToFileURL(join(root, 'dist', file.replace(/\.ts$/, '.js'))))
  const id = relative('commands', file).replace(/\.ts$/, '').replaceAll('/', ':')
  manifest.commands[id] = describe(id, Command, file)
}
writeFileSync(join(root, 'oclif.manifest.json'), `${JSON.stringify(manifest)}\n`)

const {renderManPages} = await import('../src/cli/reference/man-pages.ts')
mkdirSync(join(root, 'dist', 'man'))
for (const {name, text} of renderManPages(Object.values(manifest.commands), version)) {
  writeFileSync(join(root, 'dist', 'man', name), text)
}

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
    isESM: true,
    relativePath: ['dist', ...file.replace(/\.ts$/, '.js').split('/')],
  }
}
