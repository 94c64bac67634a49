// Installs what package-lock.json names when it is not there yet. Runs on the machine's own Node, however old.
import {spawnSync} from 'node:child_process'
import {createHash} from 'node:crypto'
import {lstatSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const modules = join(root, 'node_modules')
const stampFile = join(modules, '.jp-setup')
const stamp = createHash('sha256')
  .update(readFileSync(join(root, 'package-lock.json')))
  .digest('hex')

const readOr = (path, otherwise) => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return otherwise
  }
}

/** Several git worktrees may share one folder through a link; whoever made the link looks after it. */
const isShared = lstatSync(modules, {throwIfNoEntry: false})?.isSymbolicLink() === true

if (!isShared && readOr(stampFile, '') !== stamp) {
  process.stderr.write('Installing the packages that package-lock.json names (once) …\n')
  const {status} = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  })
  if (status !== 0) process.exit(status ?? 1)
  writeFileSync(stampFile, stamp)
}
