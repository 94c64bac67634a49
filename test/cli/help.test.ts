import assert from 'node:assert/strict'
import {execFileSync} from 'node:child_process'
import {environmentVariables, helpTopics} from '../../src/cli/help-topics.js'
import {repository, runJp} from '../support/jp.js'
import {createScratch, type Scratch} from '../support/scratch.js'

describe('help', () => {
  let scratch: Scratch
  before(() => {
    scratch = createScratch()
  })
  after(() => scratch.remove())
  const jp = (...args: string[]) => runJp(args, {cwd: scratch.path, env: scratch.env})

  it('Q2, Q6: "jp help exit-codes" is the table of the specification', async () => {
    const {stdout, code} = await jp('help', 'exit-codes')
    const codes = [...stdout.matchAll(/^ +(\d+) {2}/gm)].map((match) => Number(match[1]))
    assert.deepEqual([codes, code], [[0, 1, 2, 3, 4, 5, 6, 7, 8, 130, 131], 0])
  })

  it('Q6: every topic that help lists can be shown', async () => {
    const root = (await jp('help')).stdout
    for (const topic of helpTopics) {
      assert.match(root, new RegExp(`help ${topic.name} `))
      const {stdout, code} = await jp('help', topic.name)
      assert.deepEqual([stdout, code], [`${topic.text()}\n`, 0])
    }
  })

  it('Q6: "jp help environment" names every JP_ variable that the source reads', () => {
    const found = execFileSync('git', ['grep', '-hoE', `['"\`]JP_[A-Z_]+`, '--', 'src', 'commands', 'bin'], {
      cwd: repository,
      encoding: 'utf8',
    })
    const read = new Set(
      found
        .trim()
        .split('\n')
        .map((name) => name.slice(1)),
    )
    const told = environmentVariables.map(([name]) => name).join(' ')
    // What jp sets for its children, and what the launcher hands over, is nobody's to set.
    const ours = ['JP_', 'JP_CFG_', 'JP_LAUNCHER_PID', 'JP_PLUGIN_PATH', 'JP_VALUE_', 'JP_MCP_HEADER_']
    const untold = [...read].filter((name) => !told.includes(name) && !ours.includes(name))
    assert.deepEqual(untold, [])
  })

  it('help of a command is the same with --help, behind "help", and by its alias', async () => {
    const [flag, word, alias] = [
      await jp('workspace', 'ls', '--help'),
      await jp('help', 'workspace', 'ls'),
      await jp('help', 'w', 'list'),
    ]
    assert.match(flag.stdout, /USAGE\n {2}\$ jp workspace ls/)
    assert.deepEqual([word.stdout, alias.stdout], [flag.stdout, flag.stdout])
  })

  it('Q4: an unknown topic suggests the nearest', async () => {
    const {stdout, stderr, code} = await jp('help', 'targetz')
    assert.deepEqual(
      [stdout, stderr, code],
      ['', 'Error: There is no help for "targetz".\n  Did you mean "jp help targets"?\n', 2],
    )
  })
})
