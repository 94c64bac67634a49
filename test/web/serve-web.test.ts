import assert from 'node:assert/strict'
import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {request} from 'node:http'
import {join} from 'node:path'
import type {Browser, BrowserContext, Page} from 'playwright-core'
import {freePort} from '../support/free-port.js'
import {launcher, type Run, runJp} from '../support/jp.js'
import {writeConversation} from '../support/plant-conversation.js'
import {until} from '../support/processes.js'
import {createScratch, git, type Scratch} from '../support/scratch.js'
import {launchBrowser, startWeb, type Web} from '../support/web.js'

const waitMs = 60_000
const chat = {timestamp: '2026-09-01 08:00:00.0', type: 'chat_request', content: 'before there were records'}

describe('jp serve web', function () {
  let browser: Browser | undefined
  let scratch: Scratch
  let one: string
  let two: string
  let env: Record<string, string>
  let web: Web
  let context: BrowserContext
  let page: Page

  before(async function () {
    browser = await launchBrowser()
    if (browser === undefined) this.skip()
  })
  after(() => browser?.close())

  beforeEach(async () => {
    scratch = createScratch()
    one = scratch.checkout('one', 'abcde')
    git(one, scratch.env, 'init', '-q')
    git(one, scratch.env, 'add', '-A')
    git(one, scratch.env, 'commit', '-qm', 'x')
    git(one, scratch.env, 'worktree', 'add', '-q', '../two')
    two = join(scratch.path, 'two')
    scratch.write(
      'home/.config/jp/config.toml',
      `assistant.model.id = "echo/echo"
providers.llm.echo.script = ""
[conversation.tools.wait]
source = "local"
run = "unattended"
command = "sh -c 'until [ -e ${join(scratch.path, 'go')} ]; do sleep 0.05; done'"
`,
    )
    env = {...scratch.env, JP_ECHO_SCRIPT: scratch.write('script.json', '[]'), JP_SESSION: 'web'}
    for (const cwd of [scratch.checkout('aaa', 'aaaaa'), one, two]) await runJp(['c', 'ls'], {cwd, env})
    web = await startWeb({cwd: one, env}, '--port', String(await freePort()))
    context = await (browser as Browser).newContext({timezoneId: 'Asia/Kolkata'})
    page = await context.newPage()
    page.setDefaultTimeout(waitMs)
    await page.goto(web.url).catch((error: unknown) => assert.fail(`${String(error)}\n${web.state()}`))
  })
  afterEach(async function () {
    const shots = process.env['JP_SCREENSHOTS']
    if (shots !== undefined && page !== undefined) {
      mkdirSync(shots, {recursive: true})
      await page.screenshot({
        path: join(shots, `${this.currentTest?.title.replaceAll(/\W+/g, '-')}.png`),
        fullPage: true,
      })
    }
    await context?.close()
    await web?.stop()
    scratch.remove()
  })

  const play = (...steps: readonly object[]): void =>
    writeFileSync(join(scratch.path, 'script.json'), JSON.stringify(steps))
  const state = (name: string) => page.waitForSelector(`body[data-state="${name}"]`)
  const send = async (text: string): Promise<void> => {
    await page.waitForSelector('#content')
    // The keys are heard by a script that runs when the page has been read.
    await page.waitForLoadState()
    await page.fill('#content', text)
    await page.press('#content', 'Control+Enter')
  }
  const shows = (text: string) => page.waitForFunction((wanted) => document.body.innerText.includes(wanted), text)
  const begin = async (text: string): Promise<void> => {
    await page.click('text=New conversation')
    await send(text)
    await page.waitForURL(/\/jp-c\d+$/)
  }
  const idHere = (): string => page.url().split('/').at(-1) ?? ''
  const cli = (cwd: string, ...args: string[]): Promise<Run> => runJp(args, {cwd, env, timeoutMs: 90_000})
  const eventsOf = (id: string): string => {
    const folder = join(scratch.data, 'workspace', 'one-abcde', 'conversations')
    const name = readdirSync(folder).find((each) => each.startsWith(id.replace('jp-c', ''))) ?? ''
    return join(folder, name, 'events.json')
  }
  const recordOf = async (id: string): Promise<string> => {
    const {stdout} = await cli(one, 'c', 'ls', '--format', 'json')
    return JSON.parse(stdout).find((entry: {id: string}) => entry.id === id)?.last_root?.path
  }

  it('P25, P26: the switcher begins with the launch workspace; a conversation is begun by keyboard, its Markdown is safe and coloured; title, archive', async () => {
    const names = await page.locator('#place option').allTextContents()
    assert.deepEqual(new Set(names.slice(0, 2)), new Set([`* one — ${one}`, `* one · two — ${two}`]))
    assert.match(names[2] ?? '', /^aaa — /)
    play({
      text: '**bold** <img src=x onerror="document.title=1"> [x](javascript:alert(1))\n\n```js\nconst a = 1\n```\n',
    })
    await begin('Say <b>it</b>')
    await state('finished')
    await shows('const a = 1')
    const article = page.locator('article.assistant')
    assert.equal(await article.locator('strong').textContent(), 'bold')
    assert.equal(await article.locator('img, script, a[href^="javascript"]').count(), 0)
    assert.equal(await article.locator('.hljs-keyword').textContent(), 'const')
    assert.equal(await page.locator('article.user b').count(), 0)
    await page.setViewportSize({width: 360, height: 700})
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), true)
    await page.click('text=Title and archive')
    await page.fill('#new-title', 'A <title>')
    await page.click('text=Save the title')
    await page.waitForSelector('h1:has-text("A <title>")')
    await page.click('text=Title and archive')
    await page.click('button:has-text("Archive")')
    await shows('There are none yet.')
  })

  it('P25, FR-58: a running turn streams; a stop reaches it; a page that was away shows what is, without a new event', async () => {
    play({text: 'word {n} ', repeat: 3}, {stall: true})
    await begin('Go')
    await state('running')
    await page.click('button:has-text("Stop")')
    await state('finished')
    await shows('word 0')
    play({tool_call: {name: 'wait', arguments: {}}}, {text: 'late answer'})
    await send('Slowly')
    await page.waitForSelector('body[data-state="running"] summary:has-text("Tool call: wait")')
    await page.context().setOffline(true)
    scratch.write('go', '')
    await until(() => readFileSync(eventsOf(idHere()), 'utf8').includes('late answer'), 'the turn to end', waitMs)
    await page.context().setOffline(false)
    await state('finished')
    await shows('late answer')
    assert.equal(await page.locator('.failure').count(), 0)
    play({stall: true})
    await send('Never answered')
    await state('running')
    web.jp.kill('SIGKILL')
    await once(web.jp, 'exit')
    web = await startWeb({cwd: one, env}, '--port', new URL(web.origin).port)
    await page.reload()
    await state('unfinished')
    await shows('The last turn did not finish.')
  })

  it('P25, P18: what is sent while a turn runs is a reply to it; to a turn of another program it is refused and kept', async () => {
    play({tool_call: {name: 'fs_list_files', arguments: {}}}, {text: 'so far'}, {stall: true}, {echo: true})
    await begin('Go')
    await page.waitForSelector('body[data-state="running"] article.assistant:has-text("so far")')
    await send('rather this')
    await state('finished')
    await page.waitForSelector('article.user:has-text("rather this") + article.assistant:has-text("rather this")')
    assert.equal(await page.inputValue('#content'), '')
    const said = JSON.parse(readFileSync(eventsOf(idHere()), 'utf8')).flatMap((event: Record<string, unknown>) =>
      /^(?:turn_start|chat_)/.test(String(event['type']))
        ? [event['content'] ?? event['message'] ?? event['type']]
        : [],
    )
    assert.deepEqual(said, ['turn_start', 'Go', 'so far', 'rather this', 'rather this'])
    play({stall: true})
    await page.click('summary:has-text("Tool call: fs_list_files")')
    const unfolded = await page.$('details:has-text("Tool call: fs_list_files")')
    const args = [launcher, 'query', '--id', idHere(), 'from the terminal']
    const terminal = spawn(process.execPath, args, {cwd: one, env, stdio: 'ignore', detached: true})
    const ended = once(terminal, 'exit')
    await page.waitForSelector('body[data-state="elsewhere"] article.user:has-text("from the terminal")')
    assert.equal(await unfolded?.evaluate((details) => details.isConnected && details.hasAttribute('open')), true)
    await send('too early')
    await page.waitForSelector('.failure code:has-text("conversation_locked")')
    assert.equal(await page.inputValue('#content'), 'too early')
    terminal.kill('SIGKILL')
    await ended
    await state('unfinished')
  })

  it('P25: a draft survives a reload, and a stale one overwrites nothing', async () => {
    await begin('First')
    await state('finished')
    await page.fill('#content', 'half a thought')
    await shows('Draft saved.')
    await page.reload()
    assert.equal(await page.inputValue('#content'), 'half a thought')
    const other = await context.newPage()
    await other.goto(page.url())
    await other.fill('#content', 'another thought')
    await other.waitForFunction(() => document.body.innerText.includes('Draft saved.'))
    await page.fill('#content', 'half a thought, longer')
    await shows('Another window has another draft.')
    await page.reload()
    assert.equal(await page.inputValue('#content'), 'another thought')
    await send('another thought')
    await page.waitForFunction(() => (document.querySelector('#content') as HTMLTextAreaElement).value === '')
    await other.close()
  })

  it('P25, S24, S26: it goes on where it last ran; a choice is free; a record that moved refuses and is shown', async () => {
    await cli(two, 'query', '--new', 'from the terminal')
    await page.reload()
    await page.click('.list a')
    await state('finished')
    const id = idHere()
    await send('inferred')
    await shows('inferred')
    await state('finished')
    assert.equal(await recordOf(id), two)
    await page.goto(page.url())
    await page.selectOption('#root', one)
    await send('chosen')
    await state('finished')
    await shows('chosen')
    assert.equal(await recordOf(id), one)
    // A page that shows an old record: its stream is cut off.
    const stale = await context.newPage()
    await stale.route('**/live', (route) => route.abort())
    await stale.goto(page.url())
    await cli(two, 'query', '--id', id, 'moved on')
    await stale.fill('#content', 'into the wrong tree')
    await stale.press('#content', 'Control+Enter')
    await stale.waitForSelector('.failure code:has-text("last_root_mismatch")', {timeout: waitMs})
    assert.equal(await stale.inputValue('#content'), 'into the wrong tree')
    assert.equal(await stale.locator('#root option').first().textContent(), `${two} (where it last ran)`)
    assert.equal(await recordOf(id), two)
    await stale.close()
  })

  it('P25, S25: a record that is dead, and none at all, are asked about', async () => {
    writeConversation(join(scratch.data, 'workspace', 'one-abcde'), '17567136000', {events: [chat]})
    await cli(two, 'query', '--new', '--title', 'Of two', 'hello')
    git(one, scratch.env, 'worktree', 'remove', '--force', '../two')
    rmSync(two, {recursive: true, force: true})
    await page.goto(web.origin)
    await page.click('.list a:has-text("Of two")')
    await shows(`It last ran in ${two}, which no longer exists.`)
    assert.equal(await page.inputValue('#root'), '')
    await page.selectOption('#root', one)
    await send('go on here')
    await shows('go on here')
    await state('finished')
    assert.equal(await recordOf(idHere()), one)
    await page.goto(web.origin)
    await page.click('.list a:has-text("17567136000")')
    await shows('no record of where it last ran')
    assert.equal(await page.locator('article time').first().textContent(), '2026-09-01 13:30')
    assert.equal(await page.getAttribute('#root', 'required'), '')
  })

  it('P27, FR-48: token, cookie, Host and Origin; stable over a restart; a checkout can’t open it to the network', async () => {
    const {origin} = web
    const status = (headers: Record<string, string>, method = 'GET', path = '/'): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        request(`${origin}${path}`, {headers, method}, (response) => {
          response.resume()
          resolve(response.statusCode)
        })
          .on('error', reject)
          .end()
      })
    const token = new URL(web.url).searchParams.get('token') ?? ''
    const cookie = `jp-serve-web=${token}`
    const host = new URL(origin).host
    assert.equal(await status({}), 401)
    assert.equal(await status({cookie: 'jp-serve-web=wrong'}), 401)
    assert.equal(await status({}, 'GET', '/?token=wrong'), 401)
    assert.equal(await status({}, 'GET', `/?token=${token}`), 303)
    assert.equal(await status({cookie}), 303)
    assert.equal(await status({cookie, host: 'evil.example'}), 403)
    assert.equal(await status({cookie, host: `evil.example:${host.split(':')[1]}`}), 403)
    for (const headers of [{origin: 'http://evil.example'}, {origin: 'null'}, {'sec-fetch-site': 'cross-site'}]) {
      assert.equal(await status({cookie, ...headers}, 'POST', '/w/abcde/000000000000/new'), 403)
    }
    assert.equal(await status({cookie, origin}, 'POST', '/w/abcde/000000000000/new'), 404)
    await web.stop()
    scratch.write('one/.jp/config.toml', 'plugins.command.serve-web.options.web.host = "0.0.0.0"\n')
    assert.equal((await cli(one, 'w', 'trust')).code, 0)
    web = await startWeb({cwd: one, env})
    assert.equal(web.url, `${web.origin}/?token=${token}`)
    assert.match(web.origin, /^http:\/\/127\.0\.0\.1:/)
    await web.stop()
    scratch.write('one/.jp/config.toml', '')
    scratch.write('home/.config/jp/config.toml', 'plugins.command.serve-web.options.web.host = "0.0.0.0"\n')
    web = await startWeb({cwd: one, env})
    assert.match(web.origin, /^http:\/\/0\.0\.0\.0:/)
  })

  it('FR-35: when jp is killed, the server ends by itself and its port is free', async () => {
    web.jp.kill('SIGKILL')
    await once(web.jp, 'exit')
    const deadline = performance.now() + 30_000
    const answers = (): Promise<boolean> =>
      new Promise((resolve) => {
        request(web.origin, (response) => {
          response.resume()
          resolve(true)
        })
          .on('error', () => resolve(false))
          .end()
      })
    while (await answers()) assert.ok(performance.now() < deadline)
    web = await startWeb({cwd: one, env}, '--port', new URL(web.origin).port)
  })
})
