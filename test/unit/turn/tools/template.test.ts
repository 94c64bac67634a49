import assert from 'node:assert/strict'
import {execFileSync} from 'node:child_process'
import fc from 'fast-check'
import {splitCommand} from '../../../../src/turn/tools/command-words.js'
import {renderForShell} from '../../../../src/turn/tools/shell-template.js'
import {renderTemplate} from '../../../../src/turn/tools/template.js'
import {fuzz} from '../../../support/fuzz.js'

const values = {
  tool: {name: 'grep', arguments: {path: 'a b.txt', depth: 3, list: ['x', 'y'], empty: ''}, answers: {}, options: {}},
  context: {root: '/src/app'},
}

describe('the templates of a tool command', () => {
  it('W26, facts 9.5: objects are JSON, texts and numbers are plain, what is missing is empty', () => {
    assert.equal(renderTemplate('{{tool.arguments.path}}', values), 'a b.txt')
    assert.equal(renderTemplate('{{ context.root }}/{{tool.arguments.depth}}', values), '/src/app/3')
    assert.equal(renderTemplate('{{tool.arguments.list}}', values), '["x","y"]')
    assert.equal(renderTemplate('{{tool.arguments["list"][1]}}', values), 'y')
    assert.deepEqual(JSON.parse(renderTemplate('{{tool}}', values)), values.tool)
    assert.equal(renderTemplate('[{{tool.arguments.nope.deeper}}]', values), '[]')
    assert.equal(renderTemplate("{{tool.arguments.nope | default('x }} y')}}", values), 'x }} y')
    assert.equal(renderTemplate("{{tool.arguments.list | join(', ')}} {{tool.name|upper}}", values), 'x, y GREP')
  })

  it('Q4: an expression or a filter that does not exist is an error that names it', () => {
    assert.throws(() => renderTemplate('{{tool | nope}}', values), {
      code: 'config_invalid',
      message: /no filter "nope"/,
    })
    assert.throws(() => renderTemplate('{{ 1 + 2 }}', values), {code: 'config_invalid'})
    assert.equal(renderTemplate('not {{ closed', values), 'not {{ closed')
  })

  it('W26: prototypes are not values', () => {
    assert.equal(renderTemplate('{{tool.constructor.name}}{{tool.__proto__}}', values), '')
  })

  it('W26: a command is cut into words before anything is filled in', () => {
    assert.deepEqual(splitCommand('just serve {{context}} {{tool}}'), ['just', 'serve', '{{context}}', '{{tool}}'])
    assert.deepEqual(splitCommand(`run 'a b' "c \\" d" e\\ f '' {{ x | default('y z') }}`), [
      'run',
      'a b',
      'c " d',
      'e f',
      '',
      "{{ x | default('y z') }}",
    ])
    assert.throws(() => splitCommand("echo 'open"), {code: 'config_invalid'})
  })

  it('W26: in a shell no value can become a command, wherever it stands', () => {
    const places = [
      'printf %s {{v}}',
      'printf %s "{{v}}"',
      "printf %s '{{v}}'",
      'printf %s "a{{v}}b"',
      'printf %s a{{v}}',
    ]
    const run = (template: string, v: string): string => {
      const {line, env} = renderForShell(template, {v})
      return execFileSync('sh', ['-c', line], {env: {...env, PATH: process.env['PATH'] ?? ''}, encoding: 'utf8'})
    }
    for (const place of places) {
      for (const v of [
        '$(echo HACKED)',
        '`echo HACKED`',
        "'; echo HACKED; '",
        '"; echo HACKED; "',
        '\n echo HACKED',
        '&& echo HACKED',
      ]) {
        const expected = place.replace('printf %s ', '').replaceAll(/["']/g, '').replace('{{v}}', v)
        assert.equal(run(place, v), expected, `${place} with ${v}`)
      }
    }
  })

  it('W26: any value comes out of a shell as it went in', () => {
    const value = fc.string({maxLength: 40}).filter((text) => !text.includes('\0'))
    fc.assert(
      fc.property(value, (v) => {
        const {line, env} = renderForShell('printf %s {{v}}', {v})
        const out = execFileSync('sh', ['-c', line], {env: {...env, PATH: process.env['PATH'] ?? ''}, encoding: 'utf8'})
        assert.equal(out, v)
      }),
      fuzz(25),
    )
  })
})
