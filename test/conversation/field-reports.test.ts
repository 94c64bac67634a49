import assert from 'node:assert/strict'
import {execFileSync, spawnSync} from 'node:child_process'
import {mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {hasCode} from '../../src/errors/jp-error.js'
import {parseConversationId} from '../../src/platform/id-grammar.js'
import {openTestStore, writeConversation} from '../support/conversations.js'
import {launcher, runJp} from '../support/jp.js'
import {createScratch, type Scratch} from '../support/scratch.js'
import {startStore} from '../support/store-process.js'

const isSoak = process.env['JP_SOAK'] === '1'
const idOf = (text: string) => parseConversationId(text) ?? assert.fail(text)

describe('field reports about the store', () => {
  let scratch: Scratch
  let root: string
  let silo: string
  beforeEach(() => {
    scratch = createScratch()
    root = scratch.checkout('app', 'a1b2c')
    silo = scratch.folder('home/.local/share/jp/workspace/app-a1b2c')
  })
  afterEach(() => scratch.remove())

  it("FR-14: a session's record that many processes change at once loses nothing and is never torn", async () => {
    const session = 'env-JP_SESSION-0123456789abcdef'
    const path = join(silo, 'sessions', `${session}.json`)
    const each = isSoak ? 25 : 10
    const workers = Array.from({length: isSoak ? 8 : 4}, () => startStore(root, silo))
    const idsOf = (worker: number): string[] =>
      Array.from({length: each}, (_, index) => String(17750000000 + worker * 100 + index))
    let isDone = false
    // In two goes: between them there is at least one look at what was written.
    const writing = Promise.all(
      workers.map(async (worker, index) => {
        const [ids, half] = [idsOf(index), each >> 1]
        const first = await worker.ask({act: 'use', session, ids: ids.slice(0, half)})
        return first?.code === undefined ? worker.ask({act: 'use', session, ids: ids.slice(half)}) : first
      }),
    )
    void writing.then(() => {
      isDone = true
    })
    let looks = 0
    while (!isDone) {
      try {
        JSON.parse(readFileSync(path, 'utf8'))
        looks += 1
      } catch (error) {
        assert.match(String(error), /ENOENT/)
      }
      await new Promise((resolve) => setImmediate(resolve))
    }
    assert.deepEqual(
      (await writing).map((answer) => answer?.code),
      workers.map(() => undefined),
    )
    const {history} = JSON.parse(readFileSync(path, 'utf8')) as {history: {id: number}[]}
    assert.deepEqual(
      history.map(({id}) => String(id)).sort((left, right) => Number(left) - Number(right)),
      workers.flatMap((_, index) => idsOf(index)),
    )
    assert.ok(looks > 0)
    await Promise.all(workers.map((worker) => worker.kill()))
  })

  it('FR-15: a session record that does not parse is named and kept', async () => {
    writeConversation(join(silo, 'conversations'), '17750000001-x')
    const env = {...scratch.env, JP_SESSION: 'tab'}
    assert.equal((await runJp(['c', 'use', '1775'], {cwd: root, env})).code, 0)
    const [name] = readdirSync(join(silo, 'sessions'))
    const path = join(silo, 'sessions', name ?? '')
    const whole = readFileSync(path)
    for (const length of [0, 1, 77]) {
      writeFileSync(path, whole.subarray(0, length))
      assert.equal((await runJp(['c', 'ls'], {cwd: root, env})).code, 0)
      const run = await runJp(['c', 'use', '1775', '--format', 'json'], {cwd: root, env})
      assert.equal(run.code, 8)
      assert.deepEqual((JSON.parse(run.stderr) as {code: string}).code, 'file_corrupt')
      assert.deepEqual(readFileSync(path), whole.subarray(0, length))
    }
  })

  it('FR-18: a full disk leaves the old bytes, is named, leaves nothing behind, and is over when there is space', async function () {
    if (spawnSync('unshare', ['-rm', 'true']).status !== 0) return this.skip()
    const directory = writeConversation(join(silo, 'conversations'), '17750000001-x', {title: 'X'})
    const script = `
      set -e
      cp -a "$DATA" "$DATA.saved"
      mount -t tmpfs -o size=256k tmpfs "$DATA"
      cp -a "$DATA.saved/." "$DATA"
      dd if=/dev/zero of="$DATA/filler" bs=1k 2>/dev/null || true
      for command in 'edit 17750000001 --title Another' 'label add area=store -i 17750000001'; do
        set +e
        "$NODE" "$JP" c $command --format json
        echo "code $?"
        set -e
      done
      echo "files $(cd "$DIRECTORY" && md5sum *.json | md5sum) $(find "$DATA" -name '*.tmp' -o -name '*.lock' | wc -l)"
      rm "$DATA/filler"
      "$NODE" "$JP" c edit 17750000001 --title Another
      echo "code $?"`
    const before = execFileSync('sh', ['-c', 'md5sum *.json | md5sum'], {cwd: directory, encoding: 'utf8'}).trim()
    const run = spawnSync('unshare', ['-rm', 'sh', '-c', script], {
      cwd: root,
      env: {
        ...scratch.env,
        DATA: scratch.data,
        DIRECTORY: directory,
        NODE: process.execPath,
        JP: launcher,
        XDG_CACHE_HOME: join(scratch.path, 'cache'),
      },
      encoding: 'utf8',
    })
    const errors = run.stderr
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as {code: string; message: string})
    assert.deepEqual(
      errors.map(({code}) => code),
      ['disk_full', 'disk_full'],
      run.stderr,
    )
    for (const {message} of errors) assert.match(message, new RegExp(`Can't write ${scratch.data}.*the disk is full`))
    assert.deepEqual(
      run.stdout.split('\n').filter((line) => /^(?:code|files)/.test(line)),
      ['code 1', 'code 1', `files ${before} 0`, 'code 0'],
    )
  })

  it('FR-19, W21: processes that create in one tick get ids of their own, and every conversation is whole', async () => {
    const workers = Array.from({length: isSoak ? 20 : 5}, () => startStore(root, silo))
    const nowMs = Date.UTC(2026, 8, 1)
    const answers = await Promise.all(
      workers.flatMap((worker, index) =>
        ['a', 'b', 'c'].map((part) =>
          worker.ask({act: 'create', title: `${index}${part}`, local: false, content: `${index}${part}`, nowMs}),
        ),
      ),
    )
    const ids = answers.map((answer) => JSON.stringify(answer?.value ?? answer?.message))
    assert.equal(new Set(ids).size, ids.length)
    const {entries, corrupt} = openTestStore({root, silo}).list()
    assert.deepEqual([entries.length, corrupt], [ids.length, []])
    const titles = entries.map(({listed}) => listed.title)
    assert.equal(new Set(titles).size, ids.length)
    await Promise.all(workers.map((worker) => worker.kill()))
  })

  it('FR-20, Q24: a conversation larger than memory is listed, printed and searched; going on with it is refused by name', async () => {
    const [megabytes, heap] = isSoak ? [120, 256] : [60, 64]
    const directory = writeConversation(join(silo, 'conversations'), '17750000001-large', {title: 'Large'})
    writeConversation(join(silo, 'conversations'), '17750000002-small', {title: 'Small'})
    const element = JSON.stringify({
      timestamp: '2026-09-01 08:00:00.0',
      type: 'chat_request',
      content: 'x'.repeat(10_000),
    })
    const count = megabytes * 100
    writeFileSync(
      join(directory, 'events.json'),
      `[${Array.from({length: count}, () => element).join(',')},${element.replace(/x{10000}/, 'the needle')}]`,
    )
    const env = {...scratch.env, NODE_OPTIONS: `--max-old-space-size=${heap}`}
    const jp = (...args: string[]) => runJp(args, {cwd: root, env, timeoutMs: 110_000})
    const listed = JSON.parse((await jp('c', 'ls', '-F', 'json')).stdout) as {title: string; events_count: number}[]
    assert.deepEqual(
      listed.map(({title, events_count}) => [title, events_count]),
      [
        ['Large', count + 1],
        ['Small', 3],
      ],
    )
    const last = await jp('c', 'print', 'large', '--last', '1', '--style', 'user')
    assert.equal(last.code, 0, last.stderr)
    assert.match(last.stdout, /the needle\n$/)
    assert.equal((await jp('c', 'grep', 'needle', '--output', 'ids')).stdout, 'jp-c17750000001\n')
    const refused = await jp('c', 'edit', 'large', '--title', 'Y', '--format', 'json')
    assert.equal(refused.code, 1)
    const {code, message} = JSON.parse(refused.stderr) as {code: string; message: string}
    assert.deepEqual(
      [code, message],
      [
        'conversation_too_large',
        `Conversation jp-c17750000001 is too large to go on with: ${Math.round(megabytes * 0.9613)} MB.`,
      ],
    )
    assert.equal((await jp('c', 'edit', 'small', '--title', 'Y')).code, 0)
  })

  it('FR-23: a lock is held as long as its process lives, however old and still it is; it is named', async () => {
    writeConversation(join(silo, 'conversations'), '17750000001-x')
    const holder = startStore(root, silo)
    const pid = (await holder.ask({act: 'hold', id: 'jp-c17750000001'}))?.value
    holder.child.kill('SIGSTOP')
    const store = openTestStore({root, silo, clock: {nowMs: () => Date.UTC(2036, 0, 1)}})
    assert.throws(
      () => store.lock(idOf('jp-c17750000001')),
      (error) =>
        hasCode(error, 'conversation_locked') &&
        (error.details['holder'] as {pid: number}).pid === pid &&
        error.message.includes(`process ${pid}`),
    )
    await holder.kill('SIGKILL')
    store.lock(idOf('jp-c17750000001')).release()
  })

  it('FR-24: two queries on one conversation at once: none interleaves with the other', async () => {
    writeConversation(join(silo, 'conversations'), '17750000001-x', {events: []})
    mkdirSync(join(root, '.jp', 'conversations'), {recursive: true})
    const query = (text: string) =>
      runJp(['query', '--id', 'jp-c17750000001', '--model', 'echo/echo', text], {
        cwd: root,
        env: {...scratch.env, JP_LOCK_DURATION: '60'},
        timeoutMs: 110_000,
      })
    const runs = await Promise.all([query('one'), query('two')])
    assert.deepEqual(
      runs.map(({code}) => code),
      [0, 0],
      runs.map(({stderr}) => stderr).join('\n'),
    )
    const events = openTestStore({root, silo}).read(idOf('jp-c17750000001')).events
    const said = events.flatMap(({known}) =>
      known?.type === 'chat_request'
        ? [known.content]
        : known?.type === 'chat_response' && 'message' in known
          ? [known.message]
          : [],
    )
    assert.ok(
      ['one one two two', 'two two one one'].includes(said.map((text) => text.trim()).join(' ')),
      said.join(' '),
    )
  })
})
