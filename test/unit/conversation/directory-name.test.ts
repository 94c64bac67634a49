import assert from 'node:assert/strict'
import {directoryNameOf, idOfDirectoryName, slugOfTitle} from '../../../src/conversation/directory-name.js'
import {conversationIdOf} from '../../../src/platform/id-grammar.js'

describe('the name of a conversation folder', () => {
  it('W17: is the id and the slug of the title, as in the facts', () => {
    const cases: readonly (readonly [title: string, slug: string | undefined])[] = [
      ['Missing date in version string', 'missing-date-in-version-string'],
      ['  A, b -- c!  ', 'a--b----c'],
      ['Ünïcode 漢字 3', 'ünïcode-漢字-3'],
      ['line\nbreak', 'line-break'],
      ['!!!', undefined],
      ['', undefined],
      [
        'one two three four five six seven eight nine ten eleven twelve',
        'one-two-three-four-five-six-seven-eight-nine-ten-eleven',
      ],
      ['🟢 done', '--done'],
      ['../../etc/passwd', '------etc-passwd'],
    ]
    assert.deepEqual(
      cases.map(([title]) => slugOfTitle(title)),
      cases.map(([, slug]) => slug),
    )
    assert.equal(directoryNameOf(conversationIdOf(17), 'Hi'), '17-hi')
    assert.equal(directoryNameOf(conversationIdOf(17), undefined), '17')
  })

  it('W17, W32: the id is read from the digits alone', () => {
    assert.equal(idOfDirectoryName('17758406187-x'), 'jp-c17758406187')
    assert.equal(idOfDirectoryName('17758406187'), 'jp-c17758406187')
    for (const name of ['', 'x', '-1', '12x', '.archive', '1234567890123456-a', '../1'])
      assert.equal(idOfDirectoryName(name), undefined)
  })
})
