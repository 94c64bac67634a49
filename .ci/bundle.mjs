// Bundles with esbuild: ES chunks that are cut at every `import()`, each turned into CommonJS, which Node's compile cache
// loads faster (docs/decisions/0001).
import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {build, transform} from 'esbuild'
import {bundlePackages, lazyOclif} from './lazy-oclif.mjs'

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
  const lean = code.replaceAll(importedBuiltin, 'jpBuiltin($1)')
  const helpers = (lean.includes('jpFileUrl') ? fileUrl : '') + (lean.includes('jpBuiltin') ? builtinModule : '')
  return inAscii(helpers + lean)
}

/** esbuild copies every property of a module of Node's own for each of its importers: execa alone imports twenty. */
const importedBuiltin = /__toESM\((require\("node:[a-z_/]+"\))\)/g
const builtinModule = 'const jpBuiltin=(module)=>({__proto__:module,default:module});'

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

/** Bundles jp and the packages that it imports into `outdir`; native addons stay where they are. */
export const bundleJp = async ({root, outdir, entryPoints, commandModules, outline}) => {
  const apart = new Map()
  const {outputFiles} = await build({
    ...common,
    absWorkingDir: root,
    entryPoints,
    outdir,
    chunkNames: 'chunk-[hash]',
    plugins: [commandModules, lazyOclif(apart), oneLanguage, schemaAsData(outline)],
    splitting: true,
    format: 'esm',
    define: aboutFile,
    write: false,
  })
  for (const {path, text} of outputFiles) writeFileSync(path, await toCommonJs(text))
  await bundlePackages(apart, {absWorkingDir: root, outdir})
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
