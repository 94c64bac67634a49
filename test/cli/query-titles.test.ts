import assert from 'node:assert/strict'
import {existsSync, readdirSync, readFileSync, rmSync} from 'node:fs'
import {join} from 'node:path'
import {type Run, runJp} from '../support/jp.js'
import {until} from '../support/processes.js'
import {createScratch, type Scratch} from '../support/scratch.js'
import {startTitleServer} from '../support/title-server.js'

describe('the title of a conversation', () => {
  let scratch: Scratch
  let root: string

  beforeEach(() => {
    scratch = createScratch()
    root = scratch.checkout('app', 'abcde')
    scratch.write('app/.jp/config.toml', '[assistant.model]\nid = "spy/model"\n')
  })
  afterEach(() => scratch.remove())

  const names = (): string[] => readdirSync(join(root, '.jp', 'conversations')).filter((name) => /^\d/.test(name))

  /** With a model that answers "ok", and a request for a title with `title`; undefined: never. */
  const serving = async (
    title: string | undefined | (() => Promise<string>),
    act: (query: (...args: readonly string[]) => Promise<Run>) => Promise<void>,
  ) => {
    const server = await startTitleServer(scratch, {title: () => (typeof title === 'function' ? title() : title)})
    try {
      await act((...args) => runJp(['query', ...args], {cwd: root, env: {...scratch.env, JP_SESSION: 'tab'}}))
    } finally {
      server.close()
    }
    return [...server.asked]
  }

  it('W28: is made beside the first turn, and only then', async () => {
    const asked = await serving('```json\n{"titles": ["Why the  sky\\nis blue"]}\n```', async (query) => {
      assert.deepEqual(await query('-n', 'why?'), {stdout: 'ok\n', stderr: '', code: 0})
      assert.match(names()[0] ?? '', /^\d+-why-the-sky-is-blue$/)
      await query('and now?')
    })
    assert.deepEqual(asked.sort(), ['title', 'turn', 'turn'])
  })

  it('W28: a model that never answers delays the end by no more than a bounded wait', async () => {
    await serving(undefined, async (query) => {
      assert.deepEqual(await query('-n', 'why?'), {stdout: 'ok\n', stderr: '', code: 0})
      assert.match(names()[0] ?? '', /^\d+$/)
    })
  })

  /** The places where the workspace keeps conversations. */
  const stores = (): string[] =>
    [root, ...readdirSync(join(scratch.data, 'workspace')).map((name) => join(scratch.data, 'workspace', name))]
      .map((place, index) => (index === 0 ? join(place, '.jp', 'conversations') : join(place, 'conversations')))
      .filter((store) => existsSync(store))
  const isAnswered = (): boolean =>
    stores().every((store) =>
      readdirSync(store)
        .filter((name) => /^\d/.test(name))
        .some((name) => /"message": "ok"/.test(readFileSync(join(store, name, 'events.json'), 'utf8'))),
    )

  for (const [what, why, takeAway] of [
    ['conversation', 'it is gone from ROOT', () => stores().forEach((store) => rmSync(store, {recursive: true}))],
    ['checkout', 'the checkout ROOT is gone', () => rmSync(root, {recursive: true})],
  ] as const) {
    it(`S34: a title whose ${what} is gone by then is told of, and writes nothing in its place`, async () => {
      const late = async (): Promise<string> => {
        await until(isAnswered, 'the answer to be stored')
        takeAway()
        return '{"titles": ["Too late"]}'
      }
      await serving(late, async (query) => {
        const {stdout, stderr, code} = await query('-n', 'why?')
        assert.deepEqual([stdout, code], ['ok\n', 0])
        const reason = why.replace('ROOT', root)
        assert.match(stderr, new RegExp(`^Warning: The title of jp-c\\d+ was dropped: ${reason}\\.\n$`))
        assert.equal(existsSync(join(root, '.jp', 'conversations')), false)
        const left = stores().flatMap((store) => readdirSync(store))
        assert.ok(
          left.every((name) => !/too-late/.test(name)),
          left.join(' '),
        )
      })
    })
  }

  it('W28: what is no title is no title', async () => {
    await serving('Sure! Here is one.', async (query) => {
      await query('-n', 'why?')
      assert.match(names()[0] ?? '', /^\d+$/)
    })
  })

  it('W28: none is asked for with a title, a heading, or generate.auto off', async () => {
    const asked = await serving('{"titles": ["no"]}', async (query) => {
      await query('-n', '--title', 'mine', 'why?')
      await query('-n', '# Heading\nwhy?')
      await query('-n', '-c', 'conversation.title.generate.auto:=false', 'why?')
    })
    assert.deepEqual(asked, ['turn', 'turn', 'turn'])
  })
})
