import assert from 'node:assert/strict'
import {execFileSync} from 'node:child_process'
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import {join} from 'node:path'
import {userDirectories} from '../../../src/platform/directories.js'
import {findExecutables} from '../../../src/plugin/executables.js'
import {statedClaim} from '../../../src/plugin/plugin.js'
import {untilNextFileTime} from '../../support/file-time.js'
import {createPluginFolder, type PluginFolder} from '../../support/plugins.js'
import {createScratch, type Scratch} from '../../support/scratch.js'

/** Long after the files were written, so that the cache trusts their stamps. */
const later = (): number => Date.now() + 60_000
const old = new Date('2020-01-01')

describe('finding executables', () => {
  let scratch: Scratch
  let plugins: PluginFolder
  beforeEach(() => {
    scratch = createScratch()
    plugins = createPluginFolder(scratch)
  })
  afterEach(() => scratch.remove())

  const found = (nowMs = later()) => {
    const environment = {
      env: plugins.env,
      cwd: scratch.path,
      homeDir: scratch.home,
      platform: process.platform,
      pid: process.pid,
    }
    return findExecutables({environment, directories: userDirectories(environment), nowMs})
  }
  const claims = (nowMs = later()) => found(nowMs).map((plugin) => statedClaim(plugin)?.join(' '))
  const cacheFile = () => join(scratch.home, '.cache', 'jp', 'plugins', 'manifests.json')

  /** What the cache holds of a folder and of what lies in it. */
  const rememberedOf = (folder: string): readonly string[] => {
    if (!existsSync(cacheFile())) return []
    const {entries} = JSON.parse(readFileSync(cacheFile(), 'utf8')) as {entries: object}
    return Object.keys(entries).filter((path) => path.startsWith(folder))
  }

  it('P2, P29: one file with a claim counts once whatever it is called, by the name that is its claim, or the first', () => {
    const notes = plugins.addShell('jp-notes', {command: ['my', 'notes']}, '')
    symlinkSync(notes, join(plugins.path, 'jp-a-notes'))
    linkSync(notes, join(plugins.path, 'jp-my-notes'))
    symlinkSync(plugins.addShell('jp-todo-2.1', {command: ['todo']}, ''), join(plugins.path, 'jp-todo-old'))
    // Without a manifest the name is all there is: a program may be many.
    symlinkSync(plugins.add('jp-one', '#!/bin/sh\n'), join(plugins.path, 'jp-two'))
    assert.deepEqual(
      found().map(({name}) => name),
      ['my-notes', 'one', 'todo-2.1', 'two'],
    )
  })

  it('P2: what only looks like an executable is none, and is not waited for', () => {
    const at = (name: string): string => join(plugins.path, name)
    execFileSync('mkfifo', ['-m', '755', at('jp-fifo')])
    mkdirSync(at('jp-folder'))
    for (const [name, target] of [
      ['jp-nowhere', '/nowhere'],
      ['jp-itself', 'jp-itself'],
      ['jp-device', '/dev/zero'],
    ] as const)
      symlinkSync(target, at(name))
    for (const name of ['jp-with space', 'jp-__proto__', 'jp-.hidden', 'JP-upper']) plugins.add(name, '')
    assert.deepEqual(found(), [])
  })

  it('P5: a file that has not changed is not read again', () => {
    const path = plugins.addShell('jp-notes', {command: ['aaa']}, '')
    assert.deepEqual(claims(), ['aaa'])
    writeFileSync(cacheFile(), readFileSync(cacheFile(), 'utf8').replace('aaa', 'ccc'))
    assert.deepEqual(claims(), ['ccc'])
    untilNextFileTime(scratch.path)
    chmodSync(path, 0o700)
    assert.deepEqual(claims(), ['aaa'])
  })

  it('P5: a changed file is always noticed, also with the size and mtime of the old one', () => {
    const path = plugins.addShell('jp-notes', {command: ['aaa']}, '')
    utimesSync(path, old, old)
    assert.deepEqual(claims(), ['aaa'])
    untilNextFileTime(scratch.path)
    writeFileSync(path, readFileSync(path, 'utf8').replace('aaa', 'bbb'))
    utimesSync(path, old, old)
    assert.deepEqual(claims(), ['bbb'])
  })

  it('P5: a file that changed a moment ago is read each time: its stamp could stay the same', () => {
    const path = plugins.addShell('jp-notes', {command: ['aaa']}, '')
    assert.deepEqual(claims(statSync(path).ctimeMs), ['aaa'])
    assert.deepEqual(rememberedOf(plugins.path), [])
  })

  it('P5: a large folder that has its stamp is not read again; what comes and goes there is seen at once', () => {
    const notes = plugins.addShell('jp-notes', {command: ['notes']}, '')
    for (let number = 0; number < 256; number++) plugins.add(`program-${number}`, '')
    assert.deepEqual(claims(), ['notes'])
    writeFileSync(cacheFile(), readFileSync(cacheFile(), 'utf8').replace('"names":["jp-notes"]', '"names":[]'))
    assert.deepEqual(claims(), [])
    untilNextFileTime(scratch.path)
    const more = plugins.addShell('jp-more', {command: ['more']}, '')
    assert.deepEqual(claims(), ['more', 'notes'])
    untilNextFileTime(scratch.path)
    renameSync(more, join(plugins.path, 'jp-other'))
    rmSync(notes)
    assert.deepEqual(claims(), ['more'])
  })

  it('P5: a large folder that changed a moment ago is read each time', () => {
    for (let number = 0; number < 256; number++) plugins.add(`program-${number}`, '')
    assert.deepEqual(claims(statSync(plugins.path).ctimeMs), [])
    assert.deepEqual(rememberedOf(plugins.path), [])
  })

  it('P5: a cache that is torn or of another format reads as none', () => {
    plugins.addShell('jp-notes', {command: ['aaa']}, '')
    claims()
    for (const text of ['', '{', '[]', '{"format":999,"entries":{}}', '{"format":1}']) {
      writeFileSync(cacheFile(), text)
      assert.deepEqual(claims(), ['aaa'], text)
    }
  })
})
