// Builds dist/: jp in chunks, with the packages that it imports (docs/decisions/0001). Then the manual pages and
// oclif.manifest.json, from the built commands.
import '../test/support/typescript-imports.mjs'
import {mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {createRequire} from 'node:module'
import {join, relative} from 'node:path'
import {fileURLToPath} from 'node:url'
import {bundleJp, bundleOne} from './bundle.mjs'
import {mergeChunks} from './merge-chunks.mjs'
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

rmSync(dist, {recursive: true, force: true})
mkdirSync(dist)
writeFileSync(join(dist, 'package.json'), '{"type": "commonjs"}\n')

const {outline} = await import('../src/config/schema-outline.ts')
await bundleJp({
  root,
  outdir: dist,
  outline,
  entryPoints: {entry: 'src/cli/entry.ts', 'every-command': 'jp:commands'},
  commandModules,
})
// What a child runs for a package of oclif commands; it imports the oclif that the package brings (docs/decisions/0003).
await bundleOne({root, entry: 'plugins/sdk/src/runner/main.ts', outfile: join(dist, 'runner.js')})
packPlugins(root, dist)

const {version} = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const manifest = {version, commands: {}}
const everyCommand = join(dist, 'every-command.js')
const built = createRequire(import.meta.url)(everyCommand).commandModules
rmSync(everyCommand)
for (const file of commands) {
  const {default: Command} = await built[idOf(file)]()
  manifest.commands[idOf(file)] = describe(idOf(file), Command, file)
}
writeFileSync(join(root, 'oclif.manifest.json'), `${JSON.stringify(manifest)}\n`)
const {commandEntryOf} = await import('../src/cli/command-table.ts')
const entries = Object.entries(manifest.commands).map(([id, command]) => [id, commandEntryOf(command)])
writeFileSync(join(dist, 'commands.json'), `${JSON.stringify({version, commands: Object.fromEntries(entries)})}\n`)

const {renderManPages} = await import('../src/cli/reference/man-pages.ts')
mkdirSync(join(dist, 'man'))
for (const {name, text} of renderManPages(Object.values(manifest.commands), version))
  writeFileSync(join(dist, 'man', name), text)

await mergeChunks(root, dist)

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
