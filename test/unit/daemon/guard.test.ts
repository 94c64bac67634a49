import assert from 'node:assert/strict'
import type {IncomingHttpHeaders, IncomingMessage} from 'node:http'
import {type GuardPolicy, guard, isSame} from '../../../src/daemon/guard.js'
import {JpError} from '../../../src/errors/jp-error.js'

const policy: GuardPolicy = {
  token: 'the-token',
  requireAuth: false,
  hosts: new Set(['127.0.0.1', 'localhost', '[::1]']),
  port: () => 4170,
  isPageCookie: (cookie) => cookie === 'good',
}

const codeOf = (headers: IncomingHttpHeaders, url = '/capabilities', changed: Partial<GuardPolicy> = {}): string => {
  const request = {url, headers: {host: 'localhost:4170', authorization: 'Bearer the-token', ...headers}}
  try {
    guard(request as IncomingMessage, {...policy, ...changed})
    return 'passed'
  } catch (error) {
    assert.ok(error instanceof JpError)
    return error.code
  }
}

describe('guard chain', () => {
  it('D25, FR-48: takes only its own names with its own port for a Host', () => {
    for (const host of ['localhost:4170', '127.0.0.1:4170', '[::1]:4170', 'LOCALHOST:4170']) {
      assert.equal(codeOf({host}), 'passed', host)
    }
    for (const host of [
      'localhost',
      'localhost:4171',
      'evil.example:4170',
      'localhost.evil.example:4170',
      '',
      'x@localhost:4170',
      'localhost:4170:4170',
      '127.0.0.1:04170x',
      '127.1:4170',
      '0.0.0.0:4170',
      'host.docker.internal:4170',
    ]) {
      assert.equal(codeOf({host}), 'host_not_allowed', host)
    }
    assert.equal(codeOf({host: undefined}), 'host_not_allowed')
    assert.equal(codeOf({host: 'localhost'}, '/', {port: () => 80}), 'passed')
  })

  it('D25, FR-48: takes no Origin but its own, whatever the token', () => {
    for (const origin of ['http://localhost:4170', 'http://127.0.0.1:4170', 'http://[::1]:4170']) {
      assert.equal(codeOf({origin}), 'passed', origin)
    }
    for (const origin of ['null', 'http://evil.example', 'https://localhost:4170', 'http://localhost:4171', '']) {
      assert.equal(codeOf({origin}), 'origin_not_allowed', origin)
    }
  })

  it('D24: asks for the token everywhere but on /health, and there too with --require-auth', () => {
    for (const authorization of [
      undefined,
      '',
      'Bearer',
      'Bearer wrong',
      'Basic the-token',
      'the-token',
      'Bearer the-token x',
    ]) {
      assert.equal(codeOf({authorization}), 'unauthorised', authorization)
      assert.equal(codeOf({authorization}, '/nowhere'), 'unauthorised', authorization)
    }
    assert.equal(codeOf({authorization: 'bearer the-token'}), 'passed')
    assert.equal(codeOf({authorization: undefined}, '/health'), 'passed')
    assert.equal(codeOf({authorization: undefined}, '/health?x=1'), 'passed')
    assert.equal(codeOf({authorization: undefined}, '/health', {requireAuth: true}), 'unauthorised')
    assert.equal(codeOf({authorization: undefined}, '/x', {token: undefined}), 'passed')
    assert.equal(codeOf({authorization: undefined}, '/capabilities?token=the-token'), 'unauthorised')
  })

  it('D24: the cookie of a one-time link is good for the page alone', () => {
    const cookie = {authorization: undefined, cookie: 'a=b; jp_page=good'}
    assert.equal(codeOf(cookie, '/'), 'passed')
    assert.equal(codeOf(cookie, '/capabilities'), 'unauthorised')
    assert.equal(codeOf({...cookie, cookie: 'jp_page=bad'}, '/'), 'unauthorised')
  })

  it('D25, D30: a body must be JSON and bounded; without one nothing is asked', () => {
    const body = {'content-length': '2'}
    assert.equal(codeOf({}), 'passed')
    for (const type of [
      'application/json',
      'application/json; charset=utf-8',
      'Application/JSON',
      'application/x+json',
    ]) {
      assert.equal(codeOf({...body, 'content-type': type}), 'passed', type)
    }
    for (const type of [undefined, 'text/plain', 'application/jsonx', 'multipart/form-data', 'text/json']) {
      assert.equal(codeOf({...body, 'content-type': type}), 'unsupported_media_type', type)
    }
    assert.equal(codeOf({'transfer-encoding': 'chunked'}), 'unsupported_media_type')
    assert.equal(codeOf({'content-length': '10485761', 'content-type': 'application/json'}), 'body_too_large')
  })

  it('D25: refuses a foreign Host before it looks at the token', () => {
    assert.equal(codeOf({host: 'evil.example', authorization: undefined}), 'host_not_allowed')
    assert.equal(codeOf({origin: 'null', authorization: undefined}), 'origin_not_allowed')
  })

  it('D24: compares secrets by their digests', () => {
    assert.equal(isSame('a', 'a'), true)
    assert.equal(isSame('a', 'aa'), false)
  })
})
