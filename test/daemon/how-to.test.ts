import assert from 'node:assert/strict'
import {execFile} from 'node:child_process'
import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {promisify} from 'node:util'
import {exampleAgent, startDaemon} from '../support/daemon.js'
import {repository} from '../support/jp.js'
import {createScratch, type Scratch} from '../support/scratch.js'

const page = readFileSync(join(repository, 'docs', 'how-to', 'daemon.md'), 'utf8')

describe('docs/how-to/daemon.md', () => {
  let scratch: Scratch
  before(() => {
    scratch = createScratch()
    scratch.checkout('a', 'aaaaa')
  })
  after(() => scratch.remove())

  it('Q10, D11, D17: the lines for curl make a session, follow it, prompt it and end it', async () => {
    const script = /```sh\n(auth=[\s\S]*?)```/.exec(page)?.[1]
    assert.ok(script !== undefined)
    const daemon = await startDaemon(scratch, ['-w', 'a', '--agent', exampleAgent()])
    const env = {...scratch.env, JP_SERVER_URL: daemon.url, JP_SERVER_TOKEN: daemon.token ?? ''}
    // A person is slower than a script: the reader is there before the prompt.
    const isRead = `curl -s "$JP_SERVER_URL/daemon/status" -H "$auth" | jq -e '.runtime.transport.restSseActive == 1'`
    const lines = script.replace('&\n', `&\nuntil ${isRead} >/dev/null; do :; done\n`)
    const {stdout} = await promisify(execFile)('sh', ['-c', `${lines}\nwait`], {env})
    assert.match(stdout, /"promptId":"[0-9a-f-]{36}"/)
    assert.match(stdout, /event: session_closed\n/)
    await daemon.stop()
  })
})
