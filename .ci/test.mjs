// Builds, then runs every test: `npm test` (the long ones in small), `npm run soak` (whole). Both print the seed.
import {spawnSync} from 'node:child_process'
import {globSync} from 'node:fs'
import {fileURLToPath} from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const soak = process.argv.includes('--soak')
const files = process.argv.slice(2).filter((argument) => argument !== '--soak')
// The same numbers everywhere and every day, so that what passed once passes; `npm run soak` draws new ones.
const seed = process.env.JP_SEED ?? (soak ? String(Math.floor(Math.random() * 2 ** 31)) : '20261130')

const run = (args, env = {}) => {
  const {status} = spawnSync(process.execPath, args, {cwd: root, stdio: 'inherit', env: {...process.env, ...env}})
  if (status !== 0) process.exit(status ?? 1)
}

const everything = ['test/**/*.test.ts', ...globSync('plugins/*/test/**/*.test.ts', {cwd: root})]

run(['.ci/build.mjs'])
process.stdout.write(`seed ${seed}${soak ? ', whole' : ', in small'}\n`)
run(
  [
    'node_modules/mocha/bin/mocha.js',
    '--reporter',
    '.ci/closing-line.cjs',
    // Most of a test is a wait for a process; whole, they measure, and want the machine for themselves.
    ...(soak ? ['--timeout', '1800000'] : ['--parallel', '--jobs', '2']),
    ...(files.length > 0 ? files : everything),
  ],
  {
    JP_SEED: seed,
    ...(soak ? {JP_SOAK: '1'} : {}),
  },
)
