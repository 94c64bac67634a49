import assert from 'node:assert/strict'
import {type Fields, type Jp, RequestError} from '../../plugins/sdk/src/client.js'
import {createTurns} from '../../plugins/serve-web/src/turns.js'

/** A jp whose turns end when the test says so. */
const fakeJp = () => {
  const ends: (() => void)[] = []
  const requests: Fields[] = []
  let refusal: RequestError | undefined
  const jp = {
    query: () => new Promise<Fields>((resolve) => ends.push(() => resolve({}))),
    async request(_type: string, fields: Fields) {
      requests.push(fields)
      if (refusal !== undefined) throw refusal
      return {}
    },
  } as unknown as Jp
  return {jp, ends, requests, refuse: (code: string) => (refusal = new RequestError({code, message: 'x'}))}
}

const workspace = {id: 'abcde', root: '/one'}
const asked = {workspace, conversation: 'jp-c1', content: 'x'}

describe('the turns of serve web', () => {
  it('P25: a reply and a stop that come too late are no errors: the reply is not taken', async () => {
    const {jp, requests, refuse} = fakeJp()
    const turns = createTurns(jp)
    await turns.start(asked, 0)
    assert.equal(await turns.reply({id: 'abcde', root: '/two'}, 'jp-c1', 'more'), true)
    assert.deepEqual(requests, [{workspace, conversation: 'jp-c1', action: 'reply', content: 'more'}])
    refuse('turn_not_running')
    assert.equal(await turns.reply(workspace, 'jp-c1', 'more'), false)
    await turns.stop(workspace, 'jp-c1')
    refuse('workspace_not_found')
    await assert.rejects(turns.stop(workspace, 'jp-c1'), {code: 'workspace_not_found'})
  })

  it('P25: a turn that is heard to have ended after the next one began ends that one for nobody', async () => {
    const {jp, ends} = fakeJp()
    const turns = createTurns(jp)
    const first = turns.start(asked, 60_000)
    const second = turns.start(asked, 60_000)
    ends[0]?.()
    await first
    assert.equal(turns.isRunning('abcde', 'jp-c1'), true)
    ends[1]?.()
    await second
    assert.equal(turns.isRunning('abcde', 'jp-c1'), false)
  })
})
