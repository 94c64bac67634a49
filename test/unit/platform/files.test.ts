import assert from 'node:assert/strict'
import {execFileSync} from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import {join} from 'node:path'
import {hasCode} from '../../../src/errors/jp-error.js'
import {
  makeDirectory,
  readText,
  readTextIfPresent,
  writeAtomic,
  writeAtomicIfChanged,
} from '../../../src/platform/files.js'
import {sweepTemporaries} from '../../../src/platform/temporaries.js'
import {repository} from '../../support/jp.js'
import {createScratch, type Scratch} from '../../support/scratch.js'

const errorOf = (action: () => unknown): unknown => {
  try {
    action()
  } catch (error) {
    return error
  }
  return assert.fail('nothing was thrown')
}

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8)

describe('files', () => {
  let scratch: Scratch
  beforeEach(() => {
    scratch = createScratch()
  })
  afterEach(() => scratch.remove())

  it('W33: what is for the user alone is 0700 and 0600 whatever the umask; the rest follows it', () => {
    const previous = process.umask(0)
    try {
      makeDirectory(join(scratch.path, 'a', 'b'), 'user')
      writeAtomic(join(scratch.path, 'a', 'b', 'mine'), 'x', 'user')
      process.umask(0o027)
      makeDirectory(join(scratch.path, 'c'), 'umask')
      writeAtomic(join(scratch.path, 'c', 'theirs'), 'x', 'umask')
    } finally {
      process.umask(previous)
    }
    assert.deepEqual(
      ['a', 'a/b', 'a/b/mine', 'c', 'c/theirs'].map((name) => modeOf(join(scratch.path, name))),
      ['700', '700', '600', '750', '640'],
    )
  })

  it('W18: a rewrite keeps the mode of a file that follows the umask, and replaces a link instead of following it', () => {
    const file = scratch.write('file', 'old')
    chmodSync(file, 0o604)
    writeAtomic(file, 'new', 'umask')
    assert.deepEqual([readFileSync(file, 'utf8'), modeOf(file)], ['new', '604'])
    const target = scratch.write('target', 'untouched')
    symlinkSync(target, join(scratch.path, 'link'))
    writeAtomic(join(scratch.path, 'link'), 'mine', 'user')
    assert.equal(readFileSync(target, 'utf8'), 'untouched')
  })

  it('W17: an identical write leaves the file and its mtime alone', () => {
    const file = scratch.write('file', 'same')
    utimesSync(file, 1000, 1000)
    assert.equal(writeAtomicIfChanged(file, 'same', 'user'), false)
    assert.equal(statSync(file).mtimeMs, 1_000_000)
    assert.equal(writeAtomicIfChanged(file, 'other', 'user'), true)
  })

  it('W32: a FIFO is refused without blocking, and so is what is too large or is a folder', () => {
    execFileSync('mkfifo', [join(scratch.path, 'fifo')])
    assert.ok(
      hasCode(
        errorOf(() => readText(join(scratch.path, 'fifo'))),
        'file_refused',
      ),
    )
    assert.ok(
      hasCode(
        errorOf(() => readText(scratch.path)),
        'file_refused',
      ),
    )
    const big = scratch.write('big', '')
    truncateSync(big, 3 * 1024 * 1024)
    const error = errorOf(() => readText(big, {maxBytes: 1024 * 1024}))
    assert.ok(
      hasCode(error, 'file_refused') && error.message === `${big} is too large: 3.0 MB; the limit is 1.0 MB.`,
      String(error),
    )
  })

  it('Q4: a read says what is wrong: missing, or not UTF-8', () => {
    const missing = join(scratch.path, 'missing')
    assert.equal(readTextIfPresent(missing), undefined)
    assert.equal(String(errorOf(() => readText(missing))), `JpError: Can't read ${missing}: no such file or folder.`)
    const bytes = scratch.write('latin', Uint8Array.of(0x63, 0xe9))
    assert.ok(
      hasCode(
        errorOf(() => readText(bytes)),
        'file_corrupt',
      ),
    )
  })

  it('W18, FR-18: a full disk leaves the old bytes and no temporary file, and says so', () => {
    const script = scratch.write(
      'full.mjs',
      `import {writeAtomic} from ${JSON.stringify(join(repository, 'src', 'platform', 'files.ts'))}
       import {readdirSync, readFileSync} from 'node:fs'
       try { writeAtomic('disk/state.json', 'x'.repeat(100000), 'user') } catch (error) { console.log(error.code, error.message) }
       console.log(readdirSync('disk').sort().join(), readFileSync('disk/state.json', 'utf8'))`,
    )
    mkdirSync(join(scratch.path, 'disk'))
    const hook = join(repository, 'test', 'support', 'typescript-imports.mjs')
    const out = execFileSync(
      'unshare',
      [
        '-rm',
        'sh',
        '-c',
        `mount -t tmpfs -o size=64k none disk && printf old > disk/state.json && "${process.execPath}" --import "${hook}" ${script}`,
      ],
      {cwd: scratch.path, encoding: 'utf8', env: scratch.env},
    )
    assert.equal(out, "disk_full Can't write disk/state.json: the disk is full.\nstate.json old\n")
  })

  it('W18: a write into a folder that may not be written names the path and leaves nothing', () => {
    const file = join(scratch.path, 'no-folder', 'state.json')
    const error = errorOf(() => writeAtomic(file, 'x', 'user'))
    assert.equal(String(error), `JpError: Can't write ${file}: no such file or folder.`)
    assert.equal(existsSync(join(scratch.path, 'no-folder')), false)
  })

  it('Q25: a sweep removes what dead writers left, and nothing else', () => {
    const dead = execFileSync('sh', ['-c', 'echo $$'], {encoding: 'utf8'}).trim()
    for (const name of [`.state.json.${dead}-0.tmp`, `.state.json.${process.pid}-0.tmp`, 'other.tmp', 'state.json'])
      writeFileSync(join(scratch.path, name), '')
    sweepTemporaries(scratch.path)
    assert.deepEqual(readdirSync(scratch.path).sort(), [
      `.state.json.${process.pid}-0.tmp`,
      'home',
      'other.tmp',
      'state.json',
    ])
  })
})
