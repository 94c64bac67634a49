import assert from 'node:assert/strict'
import {createSecrets, tellableText} from '../../../src/daemon/secrets.js'

describe('what leaves the daemon', () => {
  it('D26, W33: knows the token, secrets of the base, and whatever a workspace sets, under one name or two', () => {
    const secrets = createSecrets({API_KEY: 'base-secret-value', PLAIN: 'plain-base-value'}, 'the-token-of-it')
    secrets.learn({DATABASE: 'value-of-workspace-a', SHORT: 'x'})
    secrets.learn({DATABASE: 'value-of-workspace-b'})
    const told = secrets.redact(
      'base-secret-value plain-base-value the-token-of-it value-of-workspace-a value-of-workspace-b x',
    )
    assert.match(
      told,
      /^\[redacted API_KEY\] plain-base-value \[redacted the token[^\]]*\] \[redacted DATABASE[^\]]*\] \[redacted DATABASE[^\]]*\] x$/,
    )
  })

  it('D26: a text of an agent keeps the paths of published workspaces and no other, and no stack', () => {
    const tell = (text: string): string => tellableText(text, (same) => same, ['/ws/a'])
    assert.equal(tell("ENOENT: '/ws/a/src/x.ts' and /home/me/.ssh/id"), "ENOENT: '/ws/a/src/x.ts' and [path]")
    assert.equal(tell('/ws/ab/x (/etc/passwd), /ws/a'), '[path] ([path]), /ws/a')
    assert.equal(tell('see https://example.com/a/b and 1/2 or a/b'), 'see https://example.com/a/b and 1/2 or a/b')
    assert.equal(tell('It broke.\n    at run (/usr/lib/x.js:1:2)\n    at y'), 'It broke.')
  })
})
