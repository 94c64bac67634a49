import assert from 'node:assert/strict'
import {spawn} from 'node:child_process'
import {createHash} from 'node:crypto'
import {once} from 'node:events'
import {existsSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {runJp} from '../support/jp.js'
import {createPluginFolder, manifestLine} from '../support/plugins.js'
import {createScratch, type Scratch} from '../support/scratch.js'

/** Puts the good and the bad file in the place of the plugin by turns, a thousand times a second, each by one rename. */
const swapper = `
const {linkSync, renameSync} = require('node:fs')
const [good, bad, place, next] = process.argv.slice(1)
let turn = 0
setInterval(() => {
  linkSync(turn++ % 2 ? good : bad, next)
  renameSync(next, place)
}, 1)
process.stdout.write('ready')
`

describe('a plugin that is swapped while it is started', () => {
  let scratch: Scratch
  beforeEach(() => {
    scratch = createScratch()
  })
  afterEach(() => scratch.remove())

  const runs = process.env['JP_SOAK'] === '1' ? 300 : 30

  it(`P30: the pinned bytes run or nothing does, in ${runs} runs; a tenth of them and more run`, async function () {
    this.timeout(runs * 20_000)
    const plugins = createPluginFolder(scratch)
    const root = scratch.checkout('work', 'abcde')
    const text = (name: string) =>
      `#!/bin/sh\n${manifestLine({command: ['swap']})}\nread -r init\ntouch "$HOME/${name}"\nprintf '{"type":"print","text":"${name}"}\\n{"type":"exit","code":0}\\n'\n`
    const good = plugins.add('good-file', text('good'))
    const bad = plugins.add('bad-file', text('bad-'))
    const sha256 = createHash('sha256').update(readFileSync(good)).digest('hex')
    scratch.write('home/.config/jp/config.toml', `[plugins.command.swap]\nrun = "allow"\nchecksum = "${sha256}"\n`)
    const child = spawn(
      process.execPath,
      ['-e', swapper, good, bad, join(plugins.path, 'jp-swap'), join(plugins.path, 'next')],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    await once(child.stdout, 'data')
    const outcomes = new Map<string, number>()
    try {
      const isShown = (outcome: string, times: number): boolean => (outcomes.get(outcome) ?? 0) >= times
      // Which file is there when jp looks is chance: it goes on until chance has shown both.
      for (let run = 0; run < runs || (run < 20 * runs && !(isShown('0 good', runs / 10) && isShown('5 ', 1))); run++) {
        const {stdout, code} = await runJp(['swap'], {cwd: root, env: plugins.env})
        const outcome = `${code} ${stdout}`
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
      }
    } finally {
      child.kill('SIGKILL')
    }
    const told = JSON.stringify([...outcomes])
    assert.equal(existsSync(join(scratch.home, 'bad-')), false, told)
    assert.ok((outcomes.get('0 good') ?? 0) >= runs / 10, told)
    assert.ok((outcomes.get('5 ') ?? 0) >= 1, told)
    assert.deepEqual(
      [...outcomes.keys()].filter((outcome) => !['0 good', '5 '].includes(outcome)),
      [],
      told,
    )
  })
})
