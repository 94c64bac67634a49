import {execFileSync} from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import {tmpdir} from 'node:os'
import {dirname, join} from 'node:path'

/** A folder of a test's own with a HOME in it, removed afterwards. */
export type Scratch = {
  /** Canonical path of the folder. */
  readonly path: string
  readonly home: string
  /** The user-local data of jp in that HOME. */
  readonly data: string
  /** A whole environment: nothing of the developer's own leaks into a test. */
  readonly env: Readonly<Record<string, string>>
  /** Writes a file below the folder, with the folders above it; gives its path. */
  write(name: string, text: string | Uint8Array): string
  /** Makes a folder below the folder; gives its path. */
  folder(name: string): string
  /** Makes a checkout of a workspace (`.jp/.id`) below the folder; gives its root. */
  checkout(name: string, id: string): string
  remove(): void
}

/** Creates a scratch folder. Call `remove` when the test has ended. */
export const createScratch = (): Scratch => {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'jp-test-')))
  const home = join(path, 'home')
  mkdirSync(home)
  const write = (name: string, text: string | Uint8Array): string => {
    const file = join(path, name)
    mkdirSync(dirname(file), {recursive: true})
    writeFileSync(file, text)
    return file
  }
  const folder = (name: string): string => {
    mkdirSync(join(path, name), {recursive: true})
    return join(path, name)
  }
  return {
    path,
    home,
    data: join(home, '.local', 'share', 'jp'),
    env: {
      HOME: home,
      PATH: process.env['PATH'] ?? '',
      LANG: 'C.UTF-8',
      TERM: 'xterm-256color',
      JP_NO_PLUGIN_DOWNLOAD: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_AUTHOR_NAME: 'Test',
      GIT_AUTHOR_EMAIL: 'test@example.invalid',
      GIT_COMMITTER_NAME: 'Test',
      GIT_COMMITTER_EMAIL: 'test@example.invalid',
    },
    write,
    folder,
    checkout(name, id) {
      write(join(name, '.jp', '.id'), `${id}\n`)
      return join(path, name)
    },
    remove: () => rmSync(path, {recursive: true, force: true}),
  }
}

/** Runs git in a folder; throws with its output when it fails. */
export const git = (cwd: string, env: Readonly<Record<string, string>>, ...args: readonly string[]): string =>
  execFileSync('git', [...args], {cwd, env: {...env}, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe']})

/** A full listing of a tree (paths, types, sizes, mtimes, content), to compare before and after. */
export const listing = (root: string): string[] => {
  const walk = (path: string): string[] =>
    readdirSync(path, {withFileTypes: true})
      .sort((left, right) => (left.name < right.name ? -1 : 1))
      .flatMap((entry) => {
        const file = join(path, entry.name)
        if (entry.isSymbolicLink()) return [`${file} -> ${readlinkSync(file)}`]
        const stat = statSync(file, {bigint: true})
        const stamp = `${file} ${stat.mode.toString(8)} ${stat.mtimeNs}`
        if (entry.isDirectory()) return [stamp, ...walk(file)]
        return [`${stamp} ${stat.size} ${entry.isFile() ? readFileSync(file, 'base64') : 'special'}`]
      })
  return walk(root)
}
