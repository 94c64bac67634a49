// `npm run demo`: the main job on a fresh clone. In a scratch HOME: a repository with two worktrees, a conversation
// started in one, continued from elsewhere with -w, and both listings. It leaves nothing behind.
import {spawnSync} from 'node:child_process'
import {mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'jp-demo-')))
const home = join(scratch, 'home')
const env = {
  HOME: home,
  PATH: process.env.PATH,
  LANG: process.env.LANG ?? 'C.UTF-8',
  JP_SESSION: 'demo',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'Demo',
  GIT_AUTHOR_EMAIL: 'demo@example.invalid',
  GIT_COMMITTER_NAME: 'Demo',
  GIT_COMMITTER_EMAIL: 'demo@example.invalid',
}

const run = (command, args, cwd, stdio) => {
  const {status, error} = spawnSync(command, args, {cwd, env, stdio})
  if (status !== 0) throw error ?? new Error(`${command} ${args.join(' ')} ended with ${status}`)
}

const show = (cwd, text) => process.stdout.write(`\n${cwd.replace(scratch, '~')}$ ${text}\n`)
const quote = (word) => (/^[\w./=@:-]+$/.test(word) ? word : `"${word}"`)
const jp = (cwd, ...args) => {
  show(cwd, `jp ${args.map((arg) => quote(arg.replace(scratch, '~'))).join(' ')}`)
  run(process.execPath, [join(root, 'bin', 'jp.js'), ...args], cwd, ['ignore', 'inherit', 'inherit'])
}
const git = (cwd, ...args) => run('git', args, cwd, 'ignore')

try {
  mkdirSync(home)
  if (spawnSync(process.execPath, ['.ci/build.mjs'], {cwd: root, stdio: 'inherit'}).status !== 0) process.exit(1)
  const app = join(scratch, 'app')
  const feature = join(scratch, 'app-feature')
  mkdirSync(app)
  writeFileSync(join(app, 'notes.txt'), 'Two worktrees, one workspace.\n')
  git(app, 'init', '--quiet')
  jp(app, 'init', '--model', 'echo/echo')
  git(app, 'add', '.')
  git(app, 'commit', '--quiet', '--message', 'Start')
  show(app, 'git worktree add ../app-feature')
  git(app, 'worktree', 'add', '--quiet', feature)
  jp(app, 'query', '--new', '--title', 'First steps', 'Hello from the main checkout.')
  jp(scratch, '-w', feature, 'query', 'And on in the feature worktree.')
  jp(app, 'w', 'ls')
  jp(app, 'c', 'ls')
} finally {
  rmSync(scratch, {recursive: true, force: true})
}
