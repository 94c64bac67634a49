// The checks beside the tests: types, lint, format, stale generated files. `--write` mends the format.
import {spawnSync} from 'node:child_process'
import {fileURLToPath} from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const write = process.argv.includes('--write')

const steps = [
  ['types', 'tsc', ['-p', '.']],
  ['lint', 'oxlint', ['--type-aware', '--deny-warnings']],
  ['format', 'biome', ['check', '--linter-enabled=false', ...(write ? ['--write'] : []), '.']],
  ['generated docs', process.execPath, ['.ci/docs.mjs', ...(write ? [] : ['--check'])]],
]
let failed = 0
for (const [name, command, args] of steps) {
  const {status, stdout, stderr} = spawnSync(command, args, {cwd: root, encoding: 'utf8'})
  process.stdout.write(`${status === 0 ? 'ok    ' : 'FAILED'} ${name}\n`)
  if (status !== 0) {
    failed += 1
    process.stdout.write(`${stdout}${stderr}\n`)
  }
}
process.exitCode = failed === 0 ? 0 : 1
