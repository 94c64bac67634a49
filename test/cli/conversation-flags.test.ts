import assert from 'node:assert/strict'
import {join} from 'node:path'
import {writeConversation} from '../support/conversations.js'
import {type Run, runJp} from '../support/jp.js'
import {startModelServer} from '../support/model-server.js'
import {startOnTerminal, type TerminalRun} from '../support/pty.js'
import {createScratch, type Scratch} from '../support/scratch.js'

const timestamp = '2026-09-01 08:00:00.0'
const turn = (request: string, answer: string) => [
  {timestamp, type: 'turn_start'},
  {timestamp, type: 'chat_request', content: request},
  {timestamp, type: 'chat_response', reasoning: `thinking of ${request}`},
  {timestamp, type: 'chat_response', message: answer},
]

describe('jp conversation: flags', () => {
  let scratch: Scratch
  let root: string
  const ids = ['jp-c17750000001', 'jp-c17750000002', 'jp-c17750000003'] as const
  const [oak, elm, ash] = ids

  beforeEach(() => {
    scratch = createScratch()
    root = scratch.checkout('app', 'abcde')
    const shelf = join(root, '.jp', 'conversations')
    const plant = (name: string, title: string, lastActivatedAt: string, ...turns: readonly object[][]): void =>
      void writeConversation(shelf, name, {title, lastActivatedAt, events: turns.flat()})
    plant(
      '17750000001-oak',
      'Oak',
      '2026-09-03 08:00:00.0',
      turn('plant an oak', 'An oak it is.'),
      turn('where?', 'Here.'),
    )
    plant('17750000002-elm', 'Elm', '2026-09-01 08:00:00.0', turn('plant an elm', 'An elm\nit is.'))
    plant('17750000003-ash', 'Ash', '2026-09-02 08:00:00.0', turn('water the ash', 'Done.'))
  })
  let runs: TerminalRun[] = []
  afterEach(() => {
    for (const run of runs) run.kill()
    runs = []
    scratch.remove()
  })

  const env = () => ({...scratch.env, JP_SESSION: 'tab'})
  const jp = (...args: readonly string[]): Promise<Run> => runJp(args, {cwd: root, env: env()})
  const onTerminal = (...args: readonly string[]): TerminalRun => {
    const run = startOnTerminal(args, {cwd: root, env: env()})
    runs.push(run)
    return run
  }
  const out = async (...args: readonly string[]): Promise<string> => (await jp(...args)).stdout

  it('facts 8.4: grep sorts conversations, and prints hits, ids, or lines alone', async () => {
    const found = (...flags: readonly string[]): Promise<string> => out('c', 'grep', 'plant', '-s', 'request', ...flags)
    assert.equal(await found('--no-heading'), `${oak}:2:request: plant an oak\n${elm}:2:request: plant an elm\n`)
    assert.equal(await found('--output', 'text', '--descending'), 'plant an elm\nplant an oak\n')
    assert.equal(await found('--output', 'ids', '--sort', 'activated'), `${elm}\n${oak}\n`)
    assert.equal(await found('--output', 'ids', '--sort', 'activated', '--descending', '--limit', '1'), `${oak}\n`)
    assert.equal(await found('--output', 'text', '-F', 'json'), '["plant an oak","plant an elm"]\n')
  })

  it('facts 8.4: use --grep takes the one that holds a text; of several a terminal chooses, a script is told them', async () => {
    assert.equal(await out('c', 'use', '--grep', 'water'), `${ash} is the active conversation of this session.\n`)
    const several = await jp('c', 'use', '--grep', 'plant')
    assert.equal(several.code, 2)
    assert.match(several.stderr, /^Error: 2 conversations hold "plant"\.\n[^]*Oak\n[^]*Elm\n/)
    assert.equal((await jp('c', 'use', '--grep', 'nowhere')).code, 3)
    assert.equal((await jp('c', 'use', '--grep', 'water', ash)).code, 2)
    assert.match(await out('c', 'use', '--grep', 'plant', '--from', elm), new RegExp(`^${elm} `))
    const run = onTerminal('c', 'use', '--grep', 'plant')
    await run.waitFor('Which conversation? ("plant")')
    await run.waitFor('Elm')
    run.type('\r')
    assert.equal(await run.exited, 0)
    assert.ok(run.received.includes(`${elm} is the active conversation`), run.received)
  })

  it('facts 8.4: ls sorts by place, and shows whole titles', async () => {
    await jp('c', 'edit', oak, '--local', '--yes')
    await jp('c', 'edit', elm, '--title', `Elm ${'and more '.repeat(20)}end`)
    const listed = JSON.parse(await out('c', 'ls', '--sort', 'local', '-F', 'json')) as {id: string}[]
    assert.deepEqual(
      listed.map(({id}) => id),
      [elm, ash, oak],
    )
    assert.ok(!(await out('c', 'ls', '-F', 'text-pretty', '--width', '80')).includes('more end'))
    assert.ok((await out('c', 'ls', '-F', 'text-pretty', '--width', '80', '--full')).includes('more end'))
  })

  it('facts 8.4: print shows a range of turns, and what a model is told of compacted ones', async () => {
    assert.doesNotMatch(await out('c', 'print', oak, '--from', '2'), /plant an oak/)
    assert.doesNotMatch(await out('c', 'print', oak, '--to', '1'), /where\?/)
    await jp('c', 'compact', oak, '-r')
    const events = JSON.parse(await out('c', 'print', oak, '--compacted', '-F', 'json')) as Record<string, unknown>[]
    assert.deepEqual(
      events.map(({content, message, reasoning}) => content ?? message ?? reasoning),
      ['plant an oak', 'An oak it is.', 'where?', 'thinking of where?', 'Here.'],
    )
  })

  it('facts 8.4: archive takes a range', async () => {
    assert.equal(await out('c', 'archive', '--from', elm, '--until', ash), `Archived ${elm}.\nArchived ${ash}.\n`)
    assert.deepEqual(
      (JSON.parse(await out('c', 'ls', '-F', 'json')) as {id: string}[]).map(({id}) => id),
      [oak],
    )
  })

  it('facts 8.4: title gives a title that a model proposes; a terminal chooses; --dry-run changes nothing', async () => {
    const server = await startModelServer()
    server.plays({says: {text: [JSON.stringify({titles: ['One tree', 'Two trees', 'Three trees', 'Four trees']})]}})
    scratch.write(
      'home/.config/jp/config.toml',
      `[providers.llm.spy]\ntype = "openai-compatible"\nbase_url = "${server.url}"\n`,
    )
    try {
      const model = ['-m', 'spy/model']
      assert.equal(await out('c', 'title', oak, '--dry-run', ...model), 'One tree\nTwo trees\nThree trees\n')
      assert.match(JSON.stringify(server.seen[0]?.body), /plant an oak.*where\?/)
      assert.equal(await out('c', 'title', oak, ...model), `Title of ${oak}: One tree\n`)
      const run = onTerminal('c', 'title', elm, '-n', '2', ...model)
      await run.waitFor('Which title?')
      await run.waitFor('Two trees')
      run.type('\u001b[B')
      await run.waitFor('Two trees')
      run.type('\r')
      assert.equal(await run.exited, 0)
      const titles = JSON.parse(await out('c', 'ls', '-F', 'json')) as {title: string}[]
      assert.deepEqual(
        titles.map(({title}) => title),
        ['One tree', 'Two trees', 'Ash'],
      )
      assert.equal((await jp('c', 'title', oak, '-m', 'echo/echo')).code, 2)
    } finally {
      await server.close()
    }
  })
})
