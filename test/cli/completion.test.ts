import assert from 'node:assert/strict'
import {execFileSync, spawnSync} from 'node:child_process'
import {chmodSync} from 'node:fs'
import {join} from 'node:path'
import {launcher, runJp} from '../support/jp.js'
import {createScratch, git, listing, type Scratch} from '../support/scratch.js'

describe('completion scripts', () => {
  let scratch: Scratch
  let app: string
  let env: Record<string, string>

  before(async () => {
    scratch = createScratch()
    env = {...scratch.env, PATH: `${scratch.folder('bin')}:${scratch.env['PATH']}`}
    const jp = scratch.write('bin/jp', `#!/bin/sh\nexec "${process.execPath}" "${launcher}" "$@"\n`)
    chmodSync(jp, 0o755)
    app = scratch.checkout('app', 'cmplt')
    const marker = scratch.write(
      'bin/jp-notes',
      `#!/bin/sh\n# jp-plugin/v1 {"protocol":1,"description":"Count notes","command":["notes","count"]}\ntouch "${join(scratch.path, 'ran')}"\n`,
    )
    chmodSync(marker, 0o755)
    git(app, env, 'init', '--quiet')
    git(app, env, 'add', '.')
    git(app, env, 'commit', '--quiet', '-m', 'start')
    git(app, env, 'worktree', 'add', '--quiet', '../app-feature')
    for (const cwd of [app, join(scratch.path, 'app-feature')])
      await runJp(['query', '--new', '--model', 'echo/echo', 'hello'], {cwd, env})
  })
  after(() => scratch.remove())

  const values = async (...words: string[]): Promise<string[]> => {
    const {stdout} = await runJp(['__complete', ...words], {cwd: app, env})
    return stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.split('\t')[0] ?? '')
  }

  it('Q6: completes targets, ids, configuration keys and the commands of plugins', async () => {
    assert.deepEqual(await values('-w', 'cm'), ['cmplt', 'cmplt@app-feature', 'cmplt@app'])
    const ids = await values('c', 'show', '')
    assert.equal(ids.length, 2)
    assert.ok(ids.every((id) => /^jp-c\d{11}$/.test(id)))
    assert.deepEqual(await values('--cfg', 'assistant.na'), ['assistant.name'])
    assert.deepEqual(await values('no'), ['notes'])
    assert.deepEqual(await values('notes', ''), ['count'])
  })

  it('Q6: completing writes nothing and runs no plugin', async () => {
    const before = listing(scratch.path).filter((line) => !line.includes('/.cache/'))
    for (const words of [[''], ['c', 'show', ''], ['-w', ''], ['notes', ''], ['--cfg', '']]) await values(...words)
    assert.deepEqual(
      listing(scratch.path).filter((line) => !line.includes('/.cache/')),
      before,
    )
  })

  it('Q6: bash asks jp and takes the answer', () => {
    const script = `eval "$(jp completion bash)"; COMP_WORDS=(jp c l); COMP_CWORD=2; _jp; printf '%s\\n' "\${COMPREPLY[@]}"`
    assert.equal(
      execFileSync('bash', ['-c', script], {cwd: app, env, encoding: 'utf8'}),
      'label\nls\n'.replace('label\n', hasLabel(env, app)),
    )
  })

  it('Q6: fish asks jp and takes the answer', function () {
    if (spawnSync('fish', ['--version']).status !== 0) return this.skip()
    const script = `jp completion fish | source; complete -C 'jp --format json'`
    const out = execFileSync('fish', ['-c', script], {cwd: app, env, encoding: 'utf8'})
    assert.deepEqual(
      out
        .trim()
        .split('\n')
        .map((line) => line.trim()),
      ['json', 'json-pretty'],
    )
  })

  it('Q6: the zsh script is accepted by zsh', function () {
    if (spawnSync('zsh', ['--version']).status !== 0) return this.skip()
    const script = 'autoload -U compinit && compinit -u -D; eval "$(jp completion zsh)"; print ${_comps[jp]}'
    assert.equal(execFileSync('zsh', ['-f', '-c', script], {cwd: app, env, encoding: 'utf8'}), '_jp\n')
  })
})

/** `jp c label` may or may not be there; the script must say just what jp says. */
const hasLabel = (env: Readonly<Record<string, string>>, cwd: string): string => {
  const said = execFileSync(process.execPath, [launcher, '__complete', 'c', 'l'], {
    cwd,
    env: {...env},
    encoding: 'utf8',
  })
  return said.includes('label\t') ? 'label\n' : ''
}
