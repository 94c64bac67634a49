import assert from 'node:assert/strict'
import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {repository} from '../support/jp.js'

type Manifest = {commands: {[id: string]: {requirement?: string}}}

describe('requirements', () => {
  const {commands} = JSON.parse(readFileSync(join(repository, 'oclif.manifest.json'), 'utf8')) as Manifest

  it('W10: every command declares what it needs from the bootstrap, and the manifest shows it', () => {
    const levels = ['none', 'config-only', 'resolve', 'load']
    const wrong = Object.entries(commands).filter(([, {requirement}]) => !levels.includes(requirement ?? ''))
    assert.deepEqual(
      wrong.map(([id]) => id),
      [],
    )
  })

  it('W10: what only looks at workspaces, and what makes one, opens none', () => {
    for (const id of ['init', 'help', 'workspace:ls', 'workspace:show', 'workspace:use', 'workspace:prune'])
      assert.equal(commands[id]?.requirement, 'none', id)
  })
})
