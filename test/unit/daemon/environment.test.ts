import assert from 'node:assert/strict'
import {childEnvironment, isSettable, settable} from '../../../src/daemon/environment.js'

const sources = {base: {}, dotenv: {}, settings: {}, root: '/ws/a', otherRoots: ['/ws/b']}

describe('environment of a runtime', () => {
  it('D8: the base, then .env, then settings', () => {
    const env = childEnvironment({
      ...sources,
      base: {ONE: 'base', TWO: 'base', THREE: 'base', GONE: undefined},
      dotenv: {TWO: 'dotenv', THREE: 'dotenv'},
      settings: {THREE: 'settings'},
    })
    assert.deepEqual(env, {ONE: 'base', TWO: 'dotenv', THREE: 'settings', PWD: '/ws/a'})
  })

  it('D8: a workspace sets neither where jp and its user are, nor loaders, nor proxies', () => {
    const names = [
      'HOME',
      'XDG_DATA_HOME',
      'XDG_ANYTHING',
      'JP_USER_DATA_DIR',
      'JP_SERVER_TOKEN',
      'JP_TRUST_WORKSPACE',
      'PATH',
      'NODE_OPTIONS',
      'NODE_PATH',
      'LD_PRELOAD',
      'LD_LIBRARY_PATH',
      'DYLD_INSERT_LIBRARIES',
      'BASH_ENV',
      'ENV',
      'HTTP_PROXY',
      'https_proxy',
      'ALL_PROXY',
      'no_proxy',
      'QWEN_SERVER_TOKEN',
      'npm_config_registry',
      'PWD',
      '',
      '1X',
      'A B',
      'A=B',
    ]
    assert.deepEqual(
      names.filter((name) => isSettable(name)),
      [],
    )
    assert.deepEqual(settable(Object.fromEntries(names.map((name) => [name, 'evil']))), {})
    assert.equal(isSettable('OPENAI_API_KEY'), true)
  })

  it('D8, FR-41: loaders, what npm left, and the token are not handed on from the base either; proxies are', () => {
    const env = childEnvironment({
      ...sources,
      base: {
        NODE_OPTIONS: '--import evil',
        LD_PRELOAD: '/evil.so',
        BASH_ENV: '/evil.sh',
        INIT_CWD: '/ws/b',
        npm_package_json: '/ws/b/package.json',
        JP_SERVER_TOKEN: 'secret',
        QWEN_SERVER_TOKEN: 'secret',
        HTTP_PROXY: 'http://proxy:1',
        HOME: '/home/me',
        JP_USER_DATA_DIR: '/data',
      },
    })
    assert.deepEqual(env, {HTTP_PROXY: 'http://proxy:1', HOME: '/home/me', JP_USER_DATA_DIR: '/data', PWD: '/ws/a'})
  })

  it("FR-41: the search path loses what lies in another workspace, and keeps the runtime's own", () => {
    const env = childEnvironment({...sources, base: {PATH: '/ws/b/node_modules/.bin:/ws/a/bin:/ws/bb:/usr/bin'}})
    assert.equal(env['PATH'], '/ws/a/bin:/ws/bb:/usr/bin')
  })
})
