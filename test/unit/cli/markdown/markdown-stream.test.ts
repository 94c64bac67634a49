import assert from 'node:assert/strict'
import fc from 'fast-check'
import {loadMarkdown} from '../../../../src/cli/markdown/open-markdown.js'
import {createPaint} from '../../../../src/cli/paint.js'
import {configurationSchema} from '../../../../src/config/schema.js'
import {fuzz} from '../../../support/fuzz.js'

const open = (width = 80, color = false, settings: object = {}) =>
  loadMarkdown({
    paint: createPaint(color),
    hasColors: color,
    terminalWidth: width,
    style: configurationSchema.parse({style: settings}).style,
  })

const blocks = [
  '# Heading',
  'A paragraph with **bold**, *italic*, `code` and [a link](https://example.org).',
  'Two lines\nof one paragraph',
  'Plain words, then **bold** and more (with brackets): and 3 * 4',
  'A line\n- that ends in a list',
  'One | two\n---|---\n1 | 2',
  'Words  \nafter a break, see https://example.org for www.example.org',
  'Long plain words that are longer than a line of eighty columns, so that they must be wrapped somewhere in here.',
  'Setext\n======',
  '- one\n- two\n  - nested\n\n    more of it\n- three',
  '1. first\n2. second',
  '- [x] done\n- [ ] open',
  '```ts\nconst x: number = 1 // one\n\nconsole.log("y")\n```',
  '```\nplain\n```',
  '~~~\nnot closed',
  '> quoted\n> twice\n\n> and again',
  '| a | b |\n|---|--:|\n| 1 | 2 |\n| long cell | x |',
  '---',
  '<div>html</div>',
  '    indented code',
  '',
]

describe('Markdown on a terminal', () => {
  it('W29, Q7: any split of the text renders the same', async () => {
    const create = await open()
    const piece = fc.constantFrom(...blocks)
    const text = fc.array(fc.tuple(piece, fc.constantFrom('\n', '\n\n', '\n\n\n')), {maxLength: 8})
    fc.assert(
      fc.property(text, fc.array(fc.nat(40), {maxLength: 60}), (parts, cuts) => {
        const whole = parts.map(([block, end]) => block + end).join('')
        const once = create()
        const expected = once.push(whole) + once.end()
        const split = create()
        let out = ''
        let rest = whole
        for (const cut of cuts) {
          out += split.push(rest.slice(0, cut))
          rest = rest.slice(cut)
        }
        assert.equal(out + split.push(rest) + split.end(), expected)
      }),
      fuzz(300),
    )
  })

  it('W29: a block is shown as soon as the next one has begun', async () => {
    const stream = (await open())()
    assert.equal(stream.push('# One\n\n'), '# One\n')
    assert.equal(stream.push('- two'), '')
    assert.equal(stream.push(' words\n\nThree'), '')
    assert.equal(stream.push('\n'), '\n• two words\n')
    assert.equal(stream.push('Plain words, as '), '\nThree\nPlain words, as')
    assert.equal(stream.push('they come\n\nNext '), ' they come\n\nNext')
    assert.equal(stream.push('with **bold** '), ' with')
    assert.equal(stream.end(), ' bold\n')
  })

  it('W29: lists, quotes, tables and code are laid out for people', async () => {
    const render = async (text: string, width = 80): Promise<string> => {
      const stream = (await open(width))()
      return stream.push(text) + stream.end()
    }
    assert.equal(await render('- one\n- two\n  - deep\n'), '• one\n• two\n  • deep\n')
    assert.equal(await render('3. a\n4. b\n'), '3. a\n4. b\n')
    assert.equal(await render('> a\n> b\n'), '│ a\n│ b\n')
    assert.equal(await render('```ts\na\n\nb\n```\n'), '    a\n    \n    b\n')
    assert.equal(await render('| x | no |\n|---|---:|\n| é漢 | 7 |\n'), 'x    no\n───  ──\né漢   7\n')
    assert.equal(await render('one two three four', 12), 'one two\nthree four\n')
  })

  it('facts 7.5: style.code, style.inline_code and style.markdown say how blocks are drawn', async () => {
    const render = async (text: string, settings: object): Promise<string> => {
      const stream = (await open(80, true, settings))()
      return stream.push(text) + stream.end()
    }
    const dim = (text: string): string => `\u001b[2m${text}\u001b[22m`
    assert.equal(
      await render('```\na\n\nb\n```\n', {code: {line_numbers: true}}),
      `${dim('   1')}  a\n${dim('   2')}  \n${dim('   3')}  b\n`,
    )
    assert.equal(await render('```ts\nconst a\n```\n', {code: {color: false}}), '    const a\n')
    assert.equal(await render('---\n', {markdown: {hr_style: 'markdown'}}), `${dim('---')}\n`)
    const table = '| x |\n|---|\n| one two |\n'
    assert.equal(
      await render(table, {markdown: {table_max_column_width: 4}}),
      `\u001b[1mx\u001b[22m\n${dim('───')}\none\ntwo\n`,
    )
    for (const [background, code] of [
      [236, '48;5;236'],
      ['#fff', '48;2;255;255;255'],
      ['#0a0B10', '48;2;10;11;16'],
      ['blue', '44'],
    ] as const) {
      assert.equal(
        await render('a `b`\n', {inline_code: {background}}),
        `a \u001b[${code}m\u001b[36mb\u001b[39m\u001b[49m\n`,
      )
    }
    assert.equal(await render('a `b`\n', {inline_code: {background: 'mauve'}}), 'a \u001b[36mb\u001b[39m\n')
  })

  it('W29: code is coloured by its language', async () => {
    const stream = (await open(80, true))()
    const out = stream.push('```ts\nconst a = "x" // note\n```\n') + stream.end()
    assert.equal(out, '    \u001b[35mconst\u001b[39m a = \u001b[32m"x"\u001b[39m \u001b[2m// note\u001b[22m\n')
  })
})
