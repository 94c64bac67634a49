import assert from 'node:assert/strict'
import {createHash} from 'node:crypto'
import {mkdirSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {parseWorkspaceId} from '../../src/platform/id-grammar.js'
import {registerRoot} from '../../src/workspace/roots-registry.js'
import {createLaunch, type FakeLaunch} from './launch.js'
import {createScratch, type Scratch} from './scratch.js'

/** What a session has selected, on a terminal; then runs in which nobody can be asked. */
export const ladderColumns = [
  'no selection',
  'same',
  'different',
  'dead',
  'sticky',
  'pinned, dead',
  'no terminal',
  'told not to ask',
] as const
export type LadderColumn = (typeof ladderColumns)[number]

/** Workspaces: solo (one checkout), twins (two), moved (one gone, one live), lost (where the user stands is gone). */
export type LadderWorld = {
  readonly scratch: Scratch
  /** The roots that are there. */
  readonly roots: readonly string[]
  readonly cwds: Readonly<Record<string, string>>
  readonly targets: Readonly<Record<string, string | undefined>>
  /** Writes what the session of a column has selected. */
  select(cwd: string, column: LadderColumn): void
  /** The launch of a cell, its session written. */
  launch(at: LadderCell): FakeLaunch
}

/** Where one cell of the table is launched. */
export type LadderCell = {readonly cwd: string; readonly target: string; readonly column: LadderColumn}

/** Makes the places that the tables of the ladder speak of. */
export const createLadderWorld = (): LadderWorld => {
  const scratch = createScratch()
  const usedAt = Date.parse('2026-11-01T00:00:00Z')
  const roots: string[] = []
  const known = (name: string, id: string, isLive = true): {id: string; root: string} => {
    const root = isLive ? scratch.checkout(name, id) : join(scratch.path, name)
    if (isLive) roots.push(root)
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
  const cwds: Readonly<Record<string, string>> = {
    inside: here.root,
    another: twinA.root,
    outside: scratch.folder('outside'),
    dead: lost.root,
  }
  const targets: Readonly<Record<string, string | undefined>> = {
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
  }
  const selected = (cwd: string, column: LadderColumn): {id: string; root: string} | undefined => {
    if (column === 'same') return cwd === 'another' ? twinA : here
    if (column === 'different') return cwd === 'another' ? twinB : solo
    if (column === 'dead' || column === 'pinned, dead') return moved
    return column === 'no selection' ? undefined : solo
  }
  const select = (cwd: string, column: LadderColumn): void => {
    rmSync(sessionFile(scratch), {force: true})
    // Runs without a terminal must not see a selection that is there, not even a sticky one.
    const selection = selected(cwd, column)
    if (selection === undefined) return
    mkdirSync(join(scratch.data, 'sessions'), {recursive: true})
    const history = [{workspace_id: selection.id, root: selection.root, selected_at: '2026-11-02T00:00:00Z'}]
    const sticky = column !== 'same' && column !== 'different' && column !== 'dead'
    const source = {type: 'env', key: 'JP_SESSION'}
    writeFileSync(sessionFile(scratch), JSON.stringify({history, sticky, id: 'tab', source}))
  }
  return {
    scratch,
    roots,
    cwds,
    targets,
    select,
    launch({cwd, target, column}) {
      select(cwd, column)
      const workspace = targets[target]
      return createLaunch(scratch, {
        cwd: cwds[cwd] ?? '',
        ...(workspace === undefined ? {} : {workspace}),
        ...(column === 'no terminal' || column === 'told not to ask' ? {} : {answers: []}),
      })
    },
  }
}

/** Where the session of a fake launch is kept. */
export const sessionFile = (scratch: Scratch): string =>
  join(scratch.data, 'sessions', `env-JP_SESSION-${createHash('sha256').update('tab').digest('hex').slice(0, 16)}.json`)

/** The cells of a table, without its heading. */
export const rowsOf = (table: string): string[][] =>
  table
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split('|').map((cell) => cell.trim()))

/** Rows as text, to compare. */
export const printRows = (rows: readonly (readonly string[])[]): string => rows.map((row) => row.join(' | ')).join('\n')
