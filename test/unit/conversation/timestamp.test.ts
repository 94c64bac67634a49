import assert from 'node:assert/strict'
import {momentOfStored, rfc3339OfStored, storedTimestamp} from '../../../src/conversation/timestamp.js'

describe('timestamps', () => {
  it('W17: are written as conversation files spell them', () => {
    assert.equal(storedTimestamp(Date.UTC(2026, 8, 1, 8)), '2026-09-01 08:00:00.0')
    assert.equal(storedTimestamp(Date.UTC(2026, 8, 1, 8, 0, 0, 500)), '2026-09-01 08:00:00.5')
    assert.equal(storedTimestamp(Date.UTC(2026, 8, 1, 8, 0, 0, 7)), '2026-09-01 08:00:00.007')
  })

  it('Q3: become RFC 3339 with the digits that they had', () => {
    const cases: readonly (readonly [stored: string, wire: string | undefined])[] = [
      ['2026-04-10 17:03:38.711874', '2026-04-10T17:03:38.711874Z'],
      ['2026-04-10 17:03:38.123456789', '2026-04-10T17:03:38.123456789Z'],
      ['2026-04-10 17:03:38.0', '2026-04-10T17:03:38Z'],
      ['2026-04-10 17:03:38', '2026-04-10T17:03:38Z'],
      ['2026-04-10T17:03:38.5Z', '2026-04-10T17:03:38.5Z'],
      ['2026-04-10T19:03:38.5+02:00', '2026-04-10T17:03:38.500Z'],
      ['2026-13-10 17:03:38.0', undefined],
      ['yesterday', undefined],
      ['', undefined],
    ]
    assert.deepEqual(
      cases.map(([stored]) => rfc3339OfStored(stored)),
      cases.map(([, wire]) => wire),
    )
    assert.equal(momentOfStored('1970-01-01 00:00:01.5'), 1500)
  })
})
