// Bundles with esbuild: ES chunks that are cut at every `import()`, each turned into CommonJS, which Node's compile cache
// loads faster (docs/decisions/0001).
import {readFileSync, writeFileSync} from 'node:fs'
import {join, relative} from 'node:path'
import {build, transform} from 'esbuild'
import {lazyOclif} from './lazy-oclif.mjs'

const common = {
  bundle: true,
  platform: 'node',
  target: 'node22',
  minifySyntax: true,
  minifyWhitespace: true,
  logLevel: 'warning',
  external: ['fs-native-extensions'],
}
const asCommonJs = {format: 'cjs', supported: {'dynamic-import': false}, platform: 'node', target: 'node22'}
const aboutFile = {
  'import.meta.dirname': '__dirname',
  'import.meta.filename': '__filename',
  'import.meta.url': 'jpFileUrl',
}
const fileUrl = "const jpFileUrl=require('node:url').pathToFileURL(__filename).href;"

/** A byte above ASCII makes V8 keep the whole file in two bytes a character, which doubles the time to load it. */
const inAscii = (code) =>
  code.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** The text of one ES output of esbuild as a CommonJS module. */
const toCommonJs = async (text) => {
  const {code} = await transform(text, {...asCommonJs, minifyWhitespace: true})
  return inAscii(code.includes('jpFileUrl') ? `${fileUrl}${code}` : code)
}

/** Bundles ES modules so that what they share is shared; maps the name of each output to its text. */
const bundleChunks = async ({root, outdir, entryPoints, chunkNames, plugins}) => {
  const {outputFiles, metafile} = await build({
    ...common,
    absWorkingDir: root,
    entryPoints,
    outdir,
    chunkNames,
    plugins,
    splitting: true,
    format: 'esm',
    define: aboutFile,
    write: false,
    metafile: true,
  })
  const chunks = new Map()
  for (const {path, text} of outputFiles) {
    const {entryPoint} = metafile.outputs[relative(root, path).replaceAll('\\', '/')]
    const isCommonJs = entryPoint !== undefined && metafile.inputs[entryPoint]?.format === 'cjs'
    chunks.set(relative(outdir, path), {text, entryPoint, isCommonJs})
  }
  return chunks
}

const fileOf = (specifier) => `${specifier.replaceAll(/[^a-z0-9]+/gi, '-').replace(/^-/, '')}.js`

/** What jp imports from npm becomes a file of its own; oclif and zod are bundled, native addons stay where they are. */
const packagesApart = (root, imported) => ({
  name: 'packages-apart',
  setup(builder) {
    builder.onResolve({filter: /^[^./]/}, ({path, importer, kind}) => {
      const ours = /^(?:src|commands)[\\/]/.test(relative(root, importer))
      if (!ours || kind === 'entry-point' || /^(?:node:|jp:|@oclif\/core|zod$)/.test(path)) return undefined
      imported.add(path)
      return {path: `./packages/${fileOf(path)}`, external: true}
    })
  },
})

/** zod brings its messages in fifty languages, half of its size; jp speaks one. */
const oneLanguage = {
  name: 'one-language',
  setup(builder) {
    builder.onLoad({filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/}, () => ({
      contents: "export {default as en} from './en.js'",
    }))
  },
}

/** The schema of the configuration as the data that it comes to, instead of the zod objects (docs/decisions/0010). */
const schemaAsData = (outline) => ({
  name: 'schema-as-data',
  setup(builder) {
    builder.onLoad({filter: /[\\/]src[\\/]config[\\/]schema-outline\.ts$/}, () => ({
      resolveDir: join(builder.initialOptions.absWorkingDir, 'src', 'config'),
      contents: `import {readOutline} from './outline.js'
export const schema = readOutline(JSON.parse(${JSON.stringify(JSON.stringify(outline))}))`,
    }))
  },
})

/** Bundles jp into `outdir`; returns the specifiers of the npm packages that were left apart. */
export const bundleJp = async ({root, outdir, entryPoints, commandModules, outline}) => {
  const imported = new Set()
  const plugins = [commandModules, packagesApart(root, imported), lazyOclif(), oneLanguage, schemaAsData(outline)]
  const chunks = await bundleChunks({root, outdir, entryPoints, chunkNames: 'chunk-[hash]', plugins})
  for (const [name, {text}] of chunks) writeFileSync(join(outdir, name), await toCommonJs(text))
  return [...imported]
}

/** Bundles each npm package that jp imports lazily; those that are ES modules share what they have in common. */
export const bundlePackages = async ({root, outdir, specifiers}) => {
  const entryPoints = Object.fromEntries(specifiers.map((name) => [fileOf(name).replace(/\.js$/, ''), name]))
  const chunks = await bundleChunks({root, outdir, entryPoints, chunkNames: 'shared-[hash]', plugins: []})
  for (const [name, {text, entryPoint, isCommonJs}] of chunks) {
    const outfile = join(outdir, name)
    if (!isCommonJs) writeFileSync(outfile, await toCommonJs(text))
    else {
      const entry = join(root, entryPoint)
      await build({...common, absWorkingDir: root, format: 'cjs', entryPoints: [entry], outfile})
      writeFileSync(outfile, inAscii(readFileSync(outfile, 'utf8')))
    }
  }
}

/** Bundles one module and all it imports into one CommonJS file that may import at run time. */
export const bundleOne = async ({root, entry, outfile}) => {
  await build({
    ...common,
    absWorkingDir: root,
    minifyWhitespace: false,
    format: 'cjs',
    supported: {'dynamic-import': true},
    entryPoints: [entry],
    outfile,
    define: {'import.meta.filename': '__filename'},
  })
}
