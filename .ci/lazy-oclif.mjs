import {readFile} from 'node:fs/promises'
import path from 'node:path'
import {build} from 'esbuild'

/** Packages that @oclif/core requires at load and a run of jp seldom needs. */
const packages = new Set([
  'ansi-escapes',
  'ansis',
  'clean-stack',
  'cli-spinners',
  'debug',
  'ejs',
  'get-package-type',
  'indent-string',
  'lilconfig',
  'minimatch',
  'node:fs/promises',
  'node:readline',
  'semver',
  'string-width',
  'supports-color',
  'tinyglobby',
  'widest-line',
  'wordwrap',
  'wrap-ansi',
  'wsl-utils',
])

/** Where these packages are bundled, apart from jp: three quarters of what oclif would bring to every run. */
const packagesFile = 'oclif-packages.js'

const ownModules =
  /@oclif\/core\/lib\/(?:config|ux|help|errors)\/.*\.js$|@oclif\/core\/lib\/(?:logger|module-loader|screen)\.js$/

/**
 * An esbuild plugin: what oclif requires at load becomes an object that requires it at its first use. Halves the time to
 * the first line of a command (docs/decisions/0001). Its listener for errors of stdout goes: it throws where nobody can
 * catch, and `src/cli/ending.ts` is ours. The packages among them are left for {@link bundlePackages}: it adds their names
 * and files to `apart`.
 */
export const lazyOclif = (apart) => ({
  name: 'lazy-oclif',
  setup(builder) {
    builder.onResolve({filter: new RegExp(`^\\./${packagesFile}$`)}, ({path: file}) => ({path: file, external: true}))
    const asIs = {asIs: true}
    builder.onResolve({filter: /.*/}, async (request) => {
      const fromOclif = /[\\/]@oclif[\\/]core[\\/]lib[\\/]/.test(request.importer)
      if (request.pluginData === asIs || request.kind !== 'require-call' || !fromOclif) return undefined
      if (!packages.has(request.path) && !request.path.startsWith('.')) return undefined
      const {resolveDir, importer, kind} = request
      const real = await builder.resolve(request.path, {resolveDir, importer, kind, pluginData: asIs})
      if (ownModules.test(real.path.replaceAll('\\', '/'))) return {path: real.path, namespace: 'lazy-oclif'}
      if (!packages.has(request.path)) return undefined
      if (!real.external) apart.set(request.path, real.path)
      return {path: real.path, namespace: 'lazy-oclif', pluginData: real.external ? undefined : request.path}
    })
    builder.onLoad({filter: /@oclif[\\/]core[\\/]lib[\\/]command\.js$/}, async (file) => {
      const text = await readFile(file.path, 'utf8')
      const contents = text.replace(/process\.stdout\.on\('error'[\s\S]*?\n\}\);/, '')
      if (contents === text) throw new Error(`${file.path} has changed: look for its stdout error listener`)
      return {contents, loader: 'js'}
    })
    builder.onLoad({filter: /.*/, namespace: 'lazy-oclif'}, (file) => ({
      resolveDir: path.dirname(file.path),
      loader: 'js',
      pluginData: asIs,
      contents: proxyOf(file.path, file.pluginData),
    }))
  },
})

/** Bundles the packages that have been put apart, for the few runs that use one of them. */
export const bundlePackages = (apart, {absWorkingDir, outdir}) =>
  build({
    absWorkingDir,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    minifyWhitespace: true,
    outfile: path.join(outdir, packagesFile),
    stdin: {
      resolveDir: absWorkingDir,
      contents: [...apart]
        .map(([name, file]) => `exports[${JSON.stringify(name)}] = () => require(${JSON.stringify(file)})\n`)
        .join(''),
    },
  })

const proxyOf = (file, packageName) => {
  const source =
    packageName === undefined
      ? `require(${JSON.stringify(file)})`
      : `require('./${packagesFile}')[${JSON.stringify(packageName)}]()`
  const isTranspiledModule = /@oclif.core.lib|node_modules.minimatch/.test(file)
  return `let loaded
const real = () => (loaded ??= ${source})
module.exports = new Proxy(function () {}, {
  apply: (_, self, args) => Reflect.apply(real(), self, args),
  construct: (_, args) => Reflect.construct(real(), args),
  get: (_, key) => (key === '__esModule' ? ${isTranspiledModule} : real()[key]),
  has: (_, key) => key in real(),
  ownKeys: () => Reflect.ownKeys(real()),
  getOwnPropertyDescriptor: (_, key) => ({...Object.getOwnPropertyDescriptor(real(), key), configurable: true}),
})`
}
