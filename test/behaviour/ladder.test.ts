import assert from 'node:assert/strict'
import {createHash} from 'node:crypto'
import {existsSync, mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {chooseCheckout, recordChoice} from '../../src/bootstrap/choose-checkout.js'
import {exitCodeFor} from '../../src/cli/exit-codes.js'
import {JpError} from '../../src/errors/jp-error.js'
import {parseWorkspaceId} from '../../src/platform/id-grammar.js'
import {registerRoot} from '../../src/workspace/roots-registry.js'
import {createLaunch, Unanswered} from '../support/launch.js'
import {createScratch, listing, type Scratch} from '../support/scratch.js'

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

const columns = [
  'no selection',
  'same',
  'different',
  'dead',
  'sticky',
  'pinned, dead',
  'no terminal',
  'told not to ask',
] as const
type Column = (typeof columns)[number]

/** Workspaces: solo (one checkout), twins (two), moved (one gone, one live), lost (where the user stands is gone). */
type World = {
  readonly scratch: Scratch
  readonly cwds: Readonly<Record<string, string>>
  readonly targets: Readonly<Record<string, string | undefined>>
  readonly selected: (cwd: string, column: Column) => {id: string; root: string} | undefined
}

const createWorld = (): World => {
  const scratch = createScratch()
  const usedAt = Date.parse('2026-11-01T00:00:00Z')
  const known = (name: string, id: string, isLive = true): {id: string; root: string} => {
    const root = isLive ? scratch.checkout(name, id) : join(scratch.path, name)
    const workspace = parseWorkspaceId(id)
    assert.ok(workspace)
    registerRoot(join(scratch.data, 'workspace', `${name}-${id}`), {id: workspace, root}, usedAt)
    return {id, root}
  }
  const here = known('here', 'h3r3a')
  const solo = known('solo', 's0l0a')
  const twinA = known('twin-a', 'tw1n5')
  const twinB = known('twin-b', 'tw1n5')
  const moved = known('moved-from', 'm0v3d', false)
  known('moved-to', 'm0v3d')
  const gone = known('gone', 'g0n3a', false)
  const lost = known('lost', 'l0st1', false)
  known('lost-sibling', 'l0st1')
  mkdirSync(lost.root)
  return {
    scratch,
    cwds: {inside: here.root, another: join(twinA.root), outside: scratch.folder('outside'), dead: lost.root},
    targets: {
      '': undefined,
      id: solo.id,
      path: '../solo',
      ambiguous: twinA.id,
      '?': '?',
      gone: gone.id,
      nothing: 'zzzzz',
      part: 'OLO',
      parts: 'twin',
      previous: 's',
      recent: 'r',
      folder: 'tw1n5@twin-b',
      slug: 'solo',
      '.': '.',
    },
    selected(cwd, column) {
      if (column === 'same') return cwd === 'another' ? twinA : here
      if (column === 'different') return cwd === 'another' ? twinB : solo
      if (column === 'dead' || column === 'pinned, dead') return moved
      return column === 'sticky' ? solo : undefined
    },
  }
}

const sessionFile = (scratch: Scratch): string =>
  join(scratch.data, 'sessions', `env-JP_SESSION-${createHash('sha256').update('tab').digest('hex').slice(0, 16)}.json`)

const writeSelection = (world: World, cwd: string, column: Column): void => {
  rmSync(sessionFile(world.scratch), {force: true})
  // Runs without a terminal must not see a selection that is there, not even a sticky one.
  const selected = world.selected(cwd, column === 'no terminal' || column === 'told not to ask' ? 'sticky' : column)
  if (selected === undefined) return
  mkdirSync(join(world.scratch.data, 'sessions'), {recursive: true})
  const history = [{workspace_id: selected.id, root: selected.root, selected_at: '2026-11-02T00:00:00Z'}]
  const sticky = column !== 'same' && column !== 'different' && column !== 'dead'
  const source = {type: 'env', key: 'JP_SESSION'}
  writeFileSync(sessionFile(world.scratch), JSON.stringify({history, sticky, id: 'tab', source}))
}

const outcomeOf = async (
  world: World,
  at: {readonly cwd: string; readonly target: string; readonly column: Column},
  mayAsk: boolean,
): Promise<string> => {
  writeSelection(world, at.cwd, at.column)
  const target = world.targets[at.target]
  const launch = createLaunch(world.scratch, {
    cwd: world.cwds[at.cwd] ?? '',
    ...(target === undefined ? {} : {workspace: target}),
    ...(at.column === 'no terminal' || at.column === 'told not to ask' ? {} : {answers: []}),
  })
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

const rowsOf = (table: string): string[][] =>
  table
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split('|').map((cell) => cell.trim()))

const print = (rows: readonly (readonly string[])[]): string => rows.map((row) => row.join(' | ')).join('\n')

describe('the ladder', () => {
  let world: World
  before(() => {
    world = createWorld()
  })
  after(() => world.scratch.remove())

  const runTable = async (table: string, mayAsk: boolean): Promise<void> => {
    const expected = rowsOf(table)
    const actual: string[][] = []
    for (const [cwd = '', target = ''] of expected) {
      const cells: string[] = []
      for (const column of columns) cells.push(await outcomeOf(world, {cwd, target, column}, mayAsk))
      actual.push([cwd, target, ...cells])
    }
    assert.equal(print(actual), print(expected))
  }

  it('W7, W8, W9: every place, target and session comes to what the table says', () => runTable(asking, true))

  it('S7, S9: the config-only level takes every step that asks nothing, and no other', () => runTable(silent, false))
})

describe('answers of the ladder', () => {
  let world: World
  beforeEach(() => {
    world = createWorld()
  })
  afterEach(() => world.scratch.remove())

  const answer = async (at: {cwd: string; column: Column; answers: string[]; target?: string}) => {
    writeSelection(world, at.cwd, at.column)
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
    writeSelection(world, 'inside', 'dead')
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
