import assert from 'node:assert/strict'
import {globSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {repository} from '../../support/jp.js'

describe('hints', () => {
  it('Q4: every "jp config set" that a message tells to run sets a key to a value', () => {
    const said = globSync('{src,commands}/**/*.ts', {cwd: repository}).flatMap((file) =>
      [...readFileSync(join(repository, file), 'utf8').matchAll(/jp config set ((?:--[\w-]+ )*)(?=['\w$])(.+)/g)].map(
        ([, , rest = '']) => `${file}: ${rest}`,
      ),
    )
    assert.ok(said.length > 5)
    const wrong = said.filter((text) => !/^\S+: '?(?:\$\{[^}]*\}|[\w.])+(?::?\+?)=/.test(text))
    assert.deepEqual(wrong, [])
  })
})
