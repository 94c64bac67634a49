import assert from 'node:assert/strict'
import {existsSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {chooseCheckout, recordChoice} from '../../src/bootstrap/choose-checkout.js'
import {exitCodeFor} from '../../src/cli/exit-codes.js'
import {JpError} from '../../src/errors/jp-error.js'
import {parseWorkspaceId} from '../../src/platform/id-grammar.js'
import {registerRoot} from '../../src/workspace/roots-registry.js'
import {
  createLadderWorld,
  type LadderCell,
  type LadderColumn,
  type LadderWorld,
  ladderColumns,
  printRows,
  rowsOf,
  sessionFile,
} from '../support/ladder-world.js'
import {createLaunch, Unanswered} from '../support/launch.js'
import {listing} from '../support/scratch.js'

/**
 * The ladder as a table. Rows: where the user is, and what `-w` names. Columns: a terminal by what its session has
 * selected, and runs in which nobody can be asked. Cells: which step chose (+ what was written), the question (`…?`), or
 * the exit code. `-` is no workspace, which only the config-only level takes for an answer.
 */
const asking = `
cwd      | -w        | no selection | same      | different | dead             | sticky    | pinned, dead     | no terminal | told not to ask
inside   |           | cwd          | cwd       | conflict? | conflict?        | session   | conflict?        | cwd         | cwd
inside   | id        | id           | id        | id        | id               | id        | id               | id          | id
inside   | path      | path         | path      | path      | path             | path      | path             | path        | path
inside   | ambiguous | which?       | which?    | which?    | which?           | which?    | which?           | exit 2      | exit 2
inside   | ?         | pick?        | pick?     | pick?     | pick?            | pick?     | pick?            | exit 2      | exit 2
inside   | part      | selector     | selector  | selector  | selector         | selector  | selector         | exit 2      | exit 2
inside   | parts     | which?       | which?    | which?    | which?           | which?    | which?           | exit 2      | exit 2
inside   | nothing   | exit 3       | exit 3    | exit 3    | exit 3           | exit 3    | exit 3           | exit 3      | exit 3
inside   | gone      | exit 3       | exit 3    | exit 3    | exit 3           | exit 3    | exit 3           | exit 3      | exit 3
inside   | previous  | exit 3       | exit 3    | exit 3    | exit 3           | exit 3    | exit 3           | exit 2      | exit 2
inside   | recent    | selector     | selector  | selector  | selector         | selector  | selector         | selector    | selector
inside   | folder    | selector     | selector  | selector  | selector         | selector  | selector         | selector    | selector
inside   | slug      | selector     | selector  | selector  | selector         | selector  | selector         | selector    | selector
inside   | .         | cwd          | cwd       | cwd       | cwd              | cwd       | cwd              | cwd         | cwd
another  |           | cwd          | cwd       | conflict? | conflict?        | session   | conflict?        | cwd         | cwd
another  | id        | id           | id        | id        | id               | id        | id               | id          | id
another  | path      | path         | path      | path      | path             | path      | path             | path        | path
another  | ambiguous | which?       | which?    | which?    | which?           | which?    | which?           | exit 2      | exit 2
another  | ?         | pick?        | pick?     | pick?     | pick?            | pick?     | pick?            | exit 2      | exit 2
outside  |           | pick?        | session   | session   | session + repair | session   | session + repair | exit 3      | exit 3
outside  | id        | id           | id        | id        | id               | id        | id               | id          | id
outside  | path      | path         | path      | path      | path             | path      | path             | path        | path
outside  | ambiguous | which?       | which?    | which?    | which?           | which?    | which?           | exit 2      | exit 2
outside  | ?         | pick?        | pick?     | pick?     | pick?            | pick?     | pick?            | exit 2      | exit 2
dead     |           | pick?        | session   | session   | session + repair | session   | session + repair | exit 3      | exit 3
dead     | id        | id           | id        | id        | id               | id        | id               | id          | id
dead     | path      | path         | path      | path      | path             | path      | path             | path        | path
dead     | ambiguous | which?       | which?    | which?    | which?           | which?    | which?           | exit 2      | exit 2
dead     | ?         | pick?        | pick?     | pick?     | pick?            | pick?     | pick?            | exit 2      | exit 2
outside  | .         | exit 3       | exit 3    | exit 3    | exit 3           | exit 3    | exit 3           | exit 3      | exit 3
`

/** The same for the config-only level (S7): nothing is asked, nothing is written. */
const silent = `
cwd      | -w        | no selection | same      | different | dead             | sticky    | pinned, dead     | no terminal | told not to ask
inside   |           | cwd          | cwd       | cwd       | cwd              | session   | cwd              | cwd         | cwd
inside   | id        | id           | id        | id        | id               | id        | id               | id          | id
inside   | gone      | exit 3       | exit 3    | exit 3    | exit 3           | exit 3    | exit 3           | exit 3      | exit 3
inside   | nothing   | exit 3       | exit 3    | exit 3    | exit 3           | exit 3    | exit 3           | exit 3      | exit 3
inside   | part      | selector     | selector  | selector  | selector         | selector  | selector         | exit 2      | exit 2
inside   | parts     | exit 2       | exit 2    | exit 2    | exit 2           | exit 2    | exit 2           | exit 2      | exit 2
inside   | ambiguous | exit 2       | exit 2    | exit 2    | exit 2           | exit 2    | exit 2           | exit 2      | exit 2
inside   | ?         | exit 2       | exit 2    | exit 2    | exit 2           | exit 2    | exit 2           | exit 2      | exit 2
another  |           | cwd          | cwd       | cwd       | cwd              | session   | cwd              | cwd         | cwd
outside  |           | -            | session   | session   | -                | session   | -                | -           | -
outside  | path      | path         | path      | path      | path             | path      | path             | path        | path
outside  | ambiguous | exit 2       | exit 2    | exit 2    | exit 2           | exit 2    | exit 2           | exit 2      | exit 2
dead     |           | -            | session   | session   | -                | session   | -                | -           | -
`

const outcomeOf = async (world: LadderWorld, at: LadderCell, mayAsk: boolean): Promise<string> => {
  const launch = world.launch(at)
  const before = listing(world.scratch.path)
  try {
    const choice = await chooseCheckout(launch, {mayAsk, mayName: mayAsk})
    assert.deepEqual(listing(world.scratch.path), before, 'choosing writes nothing')
    await recordChoice(launch, choice)
    if (choice.chosen === undefined) return mayAsk ? 'exit 3' : '-'
    const written = choice.chosen.record.kind
    assert.equal(written === 'none', listing(world.scratch.path).join() === before.join(), 'what is said is written')
    return written === 'none' ? choice.chosen.source : `${choice.chosen.source} + ${written}`
  } catch (error) {
    assert.deepEqual(listing(world.scratch.path), before, 'neither a question nor an error writes anything')
    if (error instanceof JpError) return `exit ${exitCodeFor(error.code)}`
    if (!(error instanceof Unanswered)) throw error
    if (error.question.choices.some(({key}) => key === 'c')) return 'conflict?'
    return error.question.message === 'Which workspace?' || error.question.message.startsWith('There is no workspace')
      ? 'pick?'
      : 'which?'
  }
}

describe('the ladder', () => {
  let world: LadderWorld
  before(() => {
    world = createLadderWorld()
  })
  after(() => world.scratch.remove())

  const runTable = async (table: string, mayAsk: boolean): Promise<void> => {
    const expected = rowsOf(table)
    const actual: string[][] = []
    for (const [cwd = '', target = ''] of expected) {
      const cells: string[] = []
      for (const column of ladderColumns) cells.push(await outcomeOf(world, {cwd, target, column}, mayAsk))
      actual.push([cwd, target, ...cells])
    }
    assert.equal(printRows(actual), printRows(expected))
  }

  it('W7, W8, W9: every place, target and session comes to what the table says', () => runTable(asking, true))

  it('S7, S9: the config-only level takes every step that asks nothing, and no other', () => runTable(silent, false))
})

describe('answers of the ladder', () => {
  let world: LadderWorld
  beforeEach(() => {
    world = createLadderWorld()
  })
  afterEach(() => world.scratch.remove())

  const answer = async (at: {cwd: string; column: LadderColumn; answers: string[]; target?: string}) => {
    world.select(at.cwd, at.column)
    const launch = createLaunch(world.scratch, {
      cwd: world.cwds[at.cwd] ?? '',
      answers: at.answers,
      ...(at.target === undefined ? {} : {workspace: at.target}),
    })
    const choice = await chooseCheckout(launch, {mayAsk: true, mayName: true})
    await recordChoice(launch, choice)
    return {root: choice.chosen?.checkout.root, asked: launch.asked}
  }

  const record = (): {history: {root: string}[]; sticky: boolean} | undefined =>
    existsSync(sessionFile(world.scratch))
      ? (JSON.parse(readFileSync(sessionFile(world.scratch), 'utf8')) as {history: {root: string}[]; sticky: boolean})
      : undefined

  const root = (name: string): string => join(world.scratch.path, name)
  const history = (): string[] | undefined => record()?.history.map((entry) => entry.root)

  it('W6, W8: c runs here once and writes nothing', async () => {
    assert.equal((await answer({cwd: 'inside', column: 'different', answers: ['c']})).root, root('here'))
    assert.deepEqual([history(), record()?.sticky], [[root('solo')], false])
  })

  it('W6, W8: C runs here and makes it the session workspace', async () => {
    assert.equal((await answer({cwd: 'inside', column: 'different', answers: ['C']})).root, root('here'))
    assert.deepEqual([history(), record()?.sticky], [[root('here'), root('solo')], false])
  })

  it('W6, W8: a runs in the session workspace once and writes nothing', async () => {
    assert.equal((await answer({cwd: 'inside', column: 'different', answers: ['a']})).root, root('solo'))
    assert.deepEqual([history(), record()?.sticky], [[root('solo')], false])
  })

  it('W6, W8: A runs in the session workspace and makes it sticky', async () => {
    assert.equal((await answer({cwd: 'inside', column: 'different', answers: ['A']})).root, root('solo'))
    assert.deepEqual([history(), record()?.sticky], [[root('solo')], true])
  })

  it('W8, Q2: q does nothing and is exit 1', async () => {
    await assert.rejects(answer({cwd: 'inside', column: 'different', answers: ['q']}), (error: unknown) => {
      assert.ok(error instanceof JpError)
      return exitCodeFor(error.code) === 1
    })
    assert.deepEqual([history(), record()?.sticky], [[root('solo')], false])
  })

  it('W8: the conflict question is a list in words with the keys c, C, a, A, q', async () => {
    const {asked} = await answer({cwd: 'inside', column: 'different', answers: ['c']})
    assert.deepEqual(
      asked[0]?.choices.map(({key}) => key),
      ['c', 'C', 'a', 'A', 'q'],
    )
    assert.equal(
      asked[0]?.message,
      `This session works in solo (s0l0a) at ${root('solo')}, but you are in here (h3r3a) at ${root('here')}. Where should this run?`,
    )
  })

  it('W8: another checkout of the same id differs too', async () => {
    assert.equal((await answer({cwd: 'another', column: 'different', answers: ['a']})).root, root('twin-b'))
  })

  it('W8: a selection that is gone is recovered through its id, and A makes the live sibling sticky', async () => {
    assert.equal((await answer({cwd: 'inside', column: 'dead', answers: ['A']})).root, root('moved-to'))
    assert.deepEqual([history(), record()?.sticky], [[root('moved-to')], true])
  })

  it('W8: of several live siblings one is chosen, and the record names it from then on', async () => {
    world.scratch.checkout('moved-too', 'm0v3d')
    const id = parseWorkspaceId('m0v3d')
    assert.ok(id)
    registerRoot(join(world.scratch.data, 'workspace', 'moved-to-m0v3d'), {id, root: root('moved-too')}, 0)
    const {root: chosen, asked} = await answer({cwd: 'outside', column: 'dead', answers: ['moved-too']})
    assert.equal(chosen, root('moved-too'))
    assert.equal(asked[0]?.choices.length, 2)
    assert.deepEqual(history(), [root('moved-too')])
  })

  it('W8: a selection that is gone is covered by any live checkout of its workspace', async () => {
    const launch = createLaunch(world.scratch, {cwd: root('moved-to'), answers: []})
    world.select('inside', 'dead')
    const {chosen} = await chooseCheckout(launch, {mayAsk: true, mayName: true})
    assert.deepEqual([chosen?.source, chosen?.checkout.root], ['cwd', root('moved-to')])
  })

  it('W7: a choice from the picker is for this run and writes nothing', async () => {
    const {root: chosen} = await answer({cwd: 'outside', column: 'no selection', answers: ['solo']})
    assert.equal(chosen, root('solo'))
    assert.equal(record(), undefined)
  })

  it('W8: without a terminal an ambiguous id lists one pasteable command a checkout', async () => {
    const launch = createLaunch(world.scratch, {cwd: world.cwds['outside'] ?? '', workspace: 'tw1n5'})
    await assert.rejects(chooseCheckout(launch, {mayAsk: true, mayName: true}), (error: unknown) => {
      assert.ok(error instanceof JpError)
      assert.equal(error.code, 'checkout_ambiguous')
      assert.deepEqual(error.hint?.split('\n').sort(), [`jp -w ${root('twin-a')} c ls`, `jp -w ${root('twin-b')} c ls`])
      return true
    })
  })
})
