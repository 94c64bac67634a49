// Writes docs/reference/ from the code: commands from the manifest, errors from the catalogue, and the pages that parts
// of src render from their schemas. `--check` writes nothing and fails when a page is stale.
import '../test/support/typescript-imports.mjs'
import {spawnSync} from 'node:child_process'
import {existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath, pathToFileURL} from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = join(root, 'docs', 'reference')
const check = process.argv.includes('--check')

const built = spawnSync(process.execPath, ['.ci/build.mjs'], {cwd: root, stdio: 'inherit'})
if (built.status !== 0) process.exit(1)

const source = (path) => import(pathToFileURL(join(root, 'src', path)))
const notice = '<!-- Written by `npm run docs`; edit the code instead. -->\n\n'

const {renderCommands} = await source('cli/reference/commands-page.ts')
const {renderErrors} = await source('cli/reference/errors-page.ts')
const manifest = JSON.parse(readFileSync(join(root, 'oclif.manifest.json'), 'utf8'))
const pages = {'commands.md': renderCommands(Object.values(manifest.commands)), 'errors.md': renderErrors()}

/** Pages whose part of src may render them from its schemas: file, module, function. */
const rendered = [
  ['configuration.md', 'config/reference-page.ts', 'renderConfigurationPage'],
  ['daemon-api.md', 'daemon/reference-page.ts', 'renderDaemonPage'],
  ['plugin-protocol.md', 'protocol/reference-page.ts', 'renderProtocolPage'],
]
for (const [page, module, name] of rendered) {
  if (existsSync(join(root, 'src', module))) pages[page] = await (await source(module))[name]()
}

mkdirSync(folder, {recursive: true})
const stale = []
for (const [name, text] of Object.entries(pages)) {
  const file = join(folder, name)
  const content = `${notice}${text.trimEnd()}\n`
  if (existsSync(file) && readFileSync(file, 'utf8') === content) continue
  stale.push(name)
  if (!check) writeFileSync(file, content)
}
for (const name of readdirSync(folder).filter((file) => !(file in pages))) {
  stale.push(name)
  if (!check) rmSync(join(folder, name))
}
if (check && stale.length > 0) {
  process.stderr.write(`Stale in docs/reference: ${stale.join(', ')}. Run "npm run docs".\n`)
  process.exitCode = 1
} else process.stdout.write(stale.length === 0 ? 'docs/reference is up to date\n' : `wrote ${stale.join(', ')}\n`)
