import assert from 'node:assert/strict'
import {createHash} from 'node:crypto'
import type {HostEnvironment} from '../../../src/platform/host-environment.js'
import {findSession, identifySession} from '../../../src/session/identity.js'

const host = (env: Record<string, string>): HostEnvironment => ({
  env,
  cwd: '/',
  homeDir: '/',
  platform: process.platform,
  pid: 1,
})
const leader = {pid: 4242, started: 'boot:77'}
const hash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16)

describe('session identity', () => {
  it('W5: $JP_SESSION comes first, and the key holds the source and a hash', () => {
    assert.deepEqual(identifySession(host({JP_SESSION: 'my tab', TMUX_PANE: '%1'}), leader), {
      key: `env-JP_SESSION-${hash('my tab')}`,
      id: 'my tab',
      source: {type: 'env', key: 'JP_SESSION'},
      leaderStarted: undefined,
    })
  })

  it('W5: an empty $JP_SESSION counts as unset; the session leader is next', () => {
    assert.deepEqual(identifySession(host({JP_SESSION: '', TMUX_PANE: '%1'}), leader), {
      key: 'getsid-4242',
      id: '4242',
      source: {type: 'getsid'},
      leaderStarted: 'boot:77',
    })
  })

  it('W5: without a leader the variables of the pane are tried in order', () => {
    const order = ['TMUX_PANE', 'WEZTERM_PANE', 'TERM_SESSION_ID', 'ITERM_SESSION_ID']
    const env = Object.fromEntries(order.map((name) => [name, `of ${name}`]))
    for (const name of order) {
      assert.equal(identifySession(host(env), undefined)?.key, `env-${name}-${hash(`of ${name}`)}`)
      delete env[name]
    }
    assert.equal(identifySession(host(env), undefined), undefined)
  })

  it('W5: variables of a window are no session', () => {
    assert.equal(identifySession(host({WT_SESSION: 'a', KITTY_WINDOW_ID: '1'}), undefined), undefined)
  })

  it('W32: a value that climbs never reaches the key', () => {
    const key = identifySession(host({JP_SESSION: '../../etc/passwd'}), undefined)?.key
    assert.match(key ?? '', /^env-JP_SESSION-[0-9a-f]{16}$/)
  })

  it('W5: this process belongs to the session that the kernel says', async function () {
    if (process.platform !== 'linux') this.skip()
    const {readFileSync} = await import('node:fs')
    const text = readFileSync('/proc/self/stat', 'utf8')
    const sid = text.slice(text.lastIndexOf(')') + 2).split(' ')[3]
    // 0: the leader lies outside this process namespace, as in a container, so nothing here can name the session.
    assert.equal((await findSession(host({})))?.id, sid === '0' ? undefined : sid)
  })
})
