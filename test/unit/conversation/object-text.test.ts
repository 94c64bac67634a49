import assert from 'node:assert/strict'
import fc from 'fast-check'
import {keyChanges, metadataKeys, parseMetadata} from '../../../src/conversation/metadata.js'
import {withMember} from '../../../src/conversation/object-text.js'
import {seed} from '../../support/fuzz.js'

describe(`an object's text, edited (seed ${seed})`, () => {
  it('W18: metadata.json keeps unknown keys, their order and their spelling', () => {
    const before = `{\n  "zeta": 1.50,\n  "title": "Old",\n  "last_activated_at": "2026-09-01 08:00:00.0",\n  "x": {"y":[ 1 ]}\n}\n`
    const after = keyChanges({title: 'New "title"', pinnedAtMs: 0, labels: {b: '', a: '1'}}).reduce(
      (text, [key, value]) => withMember(text, key, value, metadataKeys),
      before,
    )
    assert.equal(
      after,
      `{\n  "zeta": 1.50,\n  "title": "New \\"title\\"",\n  "last_activated_at": "2026-09-01 08:00:00.0",\n  "pinned_at": "1970-01-01 00:00:00.0",\n  "labels": {\n    "a": "1",\n    "b": ""\n  },\n  "x": {"y":[ 1 ]}\n}\n`,
    )
    const cleared = keyChanges({title: null, pinnedAtMs: null, labels: {}}).reduce(
      (text, [key, value]) => withMember(text, key, value, metadataKeys),
      after,
    )
    assert.equal(cleared, before.replace(`  "title": "Old",\n`, ''))
  })

  it('W18: a title is put first, and an empty object is filled and emptied', () => {
    assert.equal(
      withMember('{\n  "last_activated_at": "x"\n}\n', 'title', 'T', metadataKeys),
      '{\n  "title": "T",\n  "last_activated_at": "x"\n}\n',
    )
    assert.equal(withMember('{}\n', 'title', 'T', metadataKeys), '{\n  "title": "T"\n}\n')
    assert.equal(withMember('{"title":"T"}', 'title', undefined, metadataKeys), '{}')
  })

  it('Q30: an edit is what the parsed object would be, whatever the text', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()).filter((object) => !Object.hasOwn(object, '__proto__')),
        fc.string().filter((key) => key !== '__proto__'),
        fc.option(fc.jsonValue(), {nil: undefined}),
        fc.constantFrom(0, 2, 7),
        (object, key, value, indent) => {
          const {[key]: _, ...rest} = object
          const expected = value === undefined ? rest : {...object, [key]: value}
          const text = withMember(JSON.stringify(object, undefined, indent), key, value)
          assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(expected)))
        },
      ),
      {seed, numRuns: 500},
    )
  })

  it('W20: damaged metadata is named', () => {
    const cases: readonly (readonly [text: string, reason: RegExp])[] = [
      ['', /m: it is empty\./],
      ['{"title":', /m: it is cut off\./],
      ['\ufeff{}', /byte order mark/],
      ['[]', /it is no JSON object/],
      ['{}', /it has no "last_activated_at"/],
      ['{"last_activated_at":"yesterday"}', /"last_activated_at" is no time/],
      ['{"last_activated_at":"2026-01-01 00:00:00.0","title":1}', /"title" is no text/],
      ['{"last_activated_at":"2026-01-01 00:00:00.0","labels":{"a":1}}', /a label is no text/],
    ]
    for (const [text, reason] of cases) assert.throws(() => parseMetadata(text, 'm'), reason)
  })
})
