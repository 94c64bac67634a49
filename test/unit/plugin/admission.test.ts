import assert from 'node:assert/strict'
import type {PluginName} from '../../../src/platform/id-grammar.js'
import {type AdmissionCase, approvalRequired, decideAdmission} from '../../../src/plugin/admission.js'
import {hostProtocol, type Manifest} from '../../../src/plugin/manifest.js'

const manifest: Manifest = {protocol: 1, description: 'd', command: ['notes'], scope: 'single'}
const approval = {
  path: '/bin/jp-notes',
  sha256: 'aa',
  approvedAt: '',
  manifest,
  isDevelopment: false,
  replaced: undefined,
}
const base: AdmissionCase = {
  name: 'notes' as PluginName,
  path: '/bin/jp-notes',
  sha256: 'aa',
  sha1: undefined,
  manifest,
  policy: {run: 'ask', checksum: undefined},
  approval: undefined,
  isOfficial: false,
  isLinked: false,
  isPackage: false,
}
const decide = (change: Partial<AdmissionCase>): string => {
  const verdict = decideAdmission({...base, ...change})
  if (verdict.kind === 'refuse') return verdict.error.code
  return verdict.kind === 'ask' ? `ask: ${verdict.reason}` : `run: ${verdict.because}`
}
const pin = (value: string, algorithm: 'sha256' | 'sha1' = 'sha256') => ({algorithm, value})

describe('admission', () => {
  /** Each row breaks one more rule than the next: the order is that of P10. */
  const future = {...manifest, protocol: hostProtocol + 1}
  for (const [what, change, verdict] of [
    [
      'a protocol above ours refuses first',
      {manifest: future, policy: {run: 'deny', checksum: pin('bb')}},
      'plugin_too_new',
    ],
    ['deny refuses before the pin', {policy: {run: 'deny', checksum: pin('bb')}, approval}, 'plugin_denied'],
    [
      'a pin that does not match refuses, allowed or not',
      {policy: {run: 'allow', checksum: pin('bb')}, approval},
      'plugin_checksum_mismatch',
    ],
    ['a pin that matches admits nothing by itself', {policy: {run: 'ask', checksum: pin('AA')}}, 'ask: new'],
    [
      'a SHA-1 pin is compared with the SHA-1',
      {sha1: 'cc', policy: {run: 'allow', checksum: pin('cc', 'sha1')}},
      'run: policy',
    ],
    ['allow runs', {policy: {run: 'allow', checksum: undefined}}, 'run: policy'],
    [
      'S4: allow does not run what says nothing of itself',
      {manifest: undefined, policy: {run: 'allow', checksum: undefined}},
      'plugin_manifest_missing',
    ],
    ['an approval that matches runs', {approval}, 'run: approval'],
    ['no approval asks', {}, 'ask: new'],
    ['FR-38: other bytes at the approved path ask', {approval: {...approval, sha256: 'bb'}}, 'ask: changed'],
    [
      'FR-38: the approved bytes at another path ask',
      {approval: {...approval, path: '/evil/jp-notes'}},
      'ask: elsewhere',
    ],
  ] as const satisfies readonly (readonly [string, Partial<AdmissionCase>, string])[]) {
    it(`P10: ${what}`, () => assert.equal(decide(change), verdict))
  }

  it('P10: without a terminal the refusal has the exact command that approves', () => {
    assert.equal(
      approvalRequired({...base, path: "/my plugins/jp-it's"}, 'new').hint,
      "Have a look at it, then run: jp plugins approve '/my plugins/jp-it'\\''s'",
    )
  })

  it('FR-34: a refusal for its protocol names both versions', () => {
    const verdict = decideAdmission({...base, manifest: future})
    assert.equal(
      verdict.kind === 'refuse' && verdict.error.message,
      `The plugin "notes" needs protocol ${hostProtocol + 1}; this jp speaks ${hostProtocol}.`,
    )
  })
})
