import assert from 'node:assert/strict'
import {mkdirSync} from 'node:fs'
import {join} from 'node:path'
import {isCovered, openPermissionRules, subjectOf} from '../../../../src/turn/tools/permission-rules.js'
import {parseSimpleCommand} from '../../../../src/turn/tools/simple-command.js'
import {createScratch} from '../../../support/scratch.js'

const now = '2026-09-01T08:00:00.000Z'

describe('a remembered permission', () => {
  it('FR-28: only one plain command has words; whatever a shell would add has none', () => {
    assert.deepEqual(parseSimpleCommand(`git  commit -m 'a b' --x="c d"e`), ['git', 'commit', '-m', 'a b', '--x=c de'])
    for (const line of [
      'echo hi && touch M',
      'cd /t; touch M',
      'cd /t',
      'echo $(touch M)',
      'echo `touch M`',
      'echo hi\ntouch M',
      'echo hi | tee M',
      'X=1 echo hi',
      'echo hi > M',
      'echo $HOME',
      'echo "$(touch M)"',
      'echo *.ts',
      'echo hi &',
      'echo hi # note',
      'echo {a,b}',
      'echo ~root',
      'echo \\;',
      '(echo hi)',
      '! echo hi',
      'eval x',
      '. ./x',
      "''",
      '',
    ]) {
      assert.equal(parseSimpleCommand(line), undefined, line)
    }
  })

  it('FR-28: covers exactly the command that it was given for, in its workspace, for the tool as it was', async () => {
    const scratch = createScratch()
    try {
      const silo = join(scratch.path, 'silo')
      mkdirSync(join(silo, 'locks'), {recursive: true})
      const rules = openPermissionRules(silo, () => ({pid: process.pid, acquired_at: now}))
      const of = (command: string, tool = 'run_command', definition: unknown = 'builtin.run_command') =>
        subjectOf(tool, definition, command)
      await rules.add(of('echo hi'))
      await rules.add(of('cd /t && ls'))
      const covered = (subject: ReturnType<typeof of>): boolean => isCovered(subject, rules.list())
      assert.ok(covered(of("echo  'hi'")))
      assert.ok(covered(of('cd /t && ls')))
      for (const line of [
        'echo',
        'echo hi there',
        'echo hi && touch M',
        'echo hi; touch M',
        'echo hi\n',
        'cd /t && ls -a',
      ]) {
        assert.equal(covered(of(line)), line === 'echo hi\n', line)
      }
      assert.ok(!covered(of('echo hi', 'other')))
      assert.ok(!covered(of('echo hi', 'run_command', 'another command')))
      const elsewhere = openPermissionRules(join(scratch.path, 'other'), () => ({pid: 1, acquired_at: now}))
      assert.ok(!isCovered(of('echo hi'), elsewhere.list()))
      assert.equal(await rules.remove(({words}) => words?.[0] === 'echo'), 1)
      assert.ok(!covered(of('echo hi')))
    } finally {
      scratch.remove()
    }
  })
})
