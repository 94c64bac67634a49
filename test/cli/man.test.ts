import assert from 'node:assert/strict'
import {execFileSync, spawnSync} from 'node:child_process'
import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {repository} from '../support/jp.js'

describe('manual pages', () => {
  const folder = join(repository, 'dist', 'man')

  it('Q6: there is one for jp and for each command, without its hidden ones', () => {
    const manifest: {commands: Record<string, {id: string; hidden?: boolean}>} = JSON.parse(
      readFileSync(join(repository, 'oclif.manifest.json'), 'utf8'),
    )
    const expected = Object.values(manifest.commands)
      .filter(({hidden}) => hidden !== true)
      .map(({id}) => `jp-${id.replaceAll(':', '-')}.1`)
    assert.deepEqual(readdirSync(folder).sort(), ['jp.1', ...expected].sort())
  })

  it('Q6: groff finds nothing to warn about', function () {
    if (spawnSync('groff', ['--version']).status !== 0) return this.skip()
    for (const name of readdirSync(folder)) {
      const {stderr} = spawnSync('groff', ['-man', '-Tutf8', '-ww', '-z', join(folder, name)], {encoding: 'utf8'})
      assert.equal(stderr, '', name)
    }
    const shown = execFileSync(
      'groff',
      ['-man', '-Tascii', '-P-c', '-P-b', '-P-u', join(folder, 'jp-workspace-ls.1')],
      {encoding: 'utf8'},
    )
    assert.match(shown, /jp-workspace-ls - List the workspaces/)
  })
})
