import assert from 'node:assert/strict'
import {setImmediate} from 'node:timers/promises'
import {parseSessionId} from '../../../src/conversation/session-id.js'
import type {AgentTurnEnd} from '../../../src/daemon/agent/agent-link.js'
import {createPermissions} from '../../../src/daemon/permissions.js'
import {createSessionLog} from '../../../src/daemon/session-log.js'
import {createSessionTurns} from '../../../src/daemon/session-turns.js'
import {JpError} from '../../../src/errors/jp-error.js'
import {createTestClock} from '../../support/conversations.js'
import {until} from '../../support/processes.js'

const sessionId = parseSessionId('11111111-0000-4000-8000-000000000000')

/** Turns over an agent that answers when the test says so. */
const createScene = (cancelGraceMs = 60_000, answerMs = 60_000) => {
  assert.ok(sessionId !== undefined)
  const clock = createTestClock(1000)
  const bounds = {maxFrames: 1000, maxUnits: 1_000_000}
  const log = createSessionLog({sessionId, clock, epoch: 'e', bounds, maxReaders: 1, heartbeatMs: 60_000})
  const permissions = createPermissions(sessionId)
  const answers: {resolve(end: AgentTurnEnd): void; reject(error: unknown): void}[] = []
  const cancels: string[] = []
  let ids = 0
  const turns = createSessionTurns({
    sessionId,
    log,
    permissions,
    clock,
    maxPending: 3,
    cancelGraceMs,
    answerMs,
    newId: () => `p${++ids}`,
    prompt: () => new Promise((resolve, reject) => answers.push({resolve, reject})),
    cancelAgent: () => cancels.push('cancel'),
    tellable: (error) => ({message: (error as Error).message, code: 'x'}),
    onIdle: () => undefined,
  })
  const submit = (text: string, deadlineMs?: number) =>
    turns.submit({blocks: [{type: 'text', text}], clientId: undefined, deadlineMs})
  /** What happened, but for echoes, as `type promptId outcome`. */
  const events = (): string[] =>
    log
      .events()
      .filter(({type}) => type !== 'session_update')
      .map(({type, data}) =>
        [type, data['promptId'], data['stopReason'] ?? data['message']]
          .filter((word) => typeof word === 'string')
          .join(' '),
      )
  const answer = async (stopReason: string): Promise<void> => {
    answers.at(-1)?.resolve({stopReason, usage: undefined})
    await setImmediate()
  }
  return {turns, submit, events, answer, answers, cancels, permissions, log}
}

describe('turns of a session', () => {
  it('D17: prompts wait for each other, in their order, up to the bound', async () => {
    const {submit, events, answer, turns} = createScene()
    const first = submit('one')
    assert.deepEqual(first, {promptId: 'p1', lastEventId: 0, eventEpoch: 'e'})
    submit('two')
    submit('three')
    assert.throws(() => submit('four'), {code: 'prompt_queue_full'})
    assert.deepEqual(
      turns.waiting.map(({text}) => text),
      ['two', 'three'],
    )
    await setImmediate()
    await answer('end_turn')
    await answer('max_tokens')
    assert.deepEqual(events(), [
      'pending_prompt_added p2',
      'pending_prompt_added p3',
      'turn_complete p1 end_turn',
      'pending_prompt_started p2',
      'pending_prompt_completed p2',
      'turn_complete p2 max_tokens',
      'pending_prompt_started p3',
    ])
  })

  it('D29: a cancel is told once, before the turn that it ended; what waits goes on', async () => {
    const {submit, events, answer, turns, cancels} = createScene()
    submit('one')
    submit('two')
    await setImmediate()
    turns.cancel()
    turns.cancel()
    await answer('cancelled')
    assert.deepEqual(cancels, ['cancel'])
    assert.deepEqual(events(), [
      'pending_prompt_added p2',
      'prompt_cancelled p1',
      'turn_complete p1 cancelled',
      'pending_prompt_started p2',
    ])
  })

  it('D29: a cancel that comes too late, or to an idle session, leaves no trace', async () => {
    const {submit, events, answer, turns} = createScene()
    turns.cancel()
    submit('one')
    await setImmediate()
    turns.cancel()
    await answer('end_turn')
    turns.cancel()
    assert.deepEqual(events(), ['turn_complete p1 end_turn'])
  })

  it('D29: a failure is told as a failure alone', async () => {
    const {submit, events, answers} = createScene()
    submit('one')
    await setImmediate()
    answers[0]?.reject(new JpError('agent_failed', 'broke'))
    await setImmediate()
    assert.deepEqual(events(), ['turn_error p1 broke'])
  })

  it('D29: an agent that never answers a cancel does not hold the session; it gets the next prompt when it is free', async () => {
    const {submit, events, answers, turns} = createScene(1)
    submit('one')
    submit('two')
    await setImmediate()
    turns.cancel()
    await until(() => events().length >= 4, 'the end of the grace')
    assert.equal(answers.length, 1, 'the agent is still at the first')
    answers[0]?.resolve({stopReason: 'end_turn', usage: undefined})
    await until(() => answers.length >= 2, 'the next prompt')
    assert.deepEqual(events().slice(1), [
      'prompt_cancelled p1',
      'turn_complete p1 cancelled',
      'pending_prompt_started p2',
    ])
  })

  it('D29: a prompt waits for an agent that is deaf so long, and no longer; the next one too', async () => {
    const {submit, events, answers, turns} = createScene(1, 1)
    submit('one')
    submit('two')
    submit('three')
    await setImmediate()
    turns.cancel()
    const late = 'The agent did not answer in time.'
    await until(() => events().includes(`turn_error p3 ${late}`), 'the end of the third')
    assert.equal(answers.length, 1, 'it got none of them')
    assert.ok(events().includes(`turn_error p2 ${late}`))
  })

  it('D29: a prompt that is cancelled before the agent has got it never reaches it', async () => {
    const {submit, events, answers, cancels, turns, answer} = createScene(1)
    submit('one')
    submit('two')
    await setImmediate()
    turns.cancel()
    await until(() => events().includes('pending_prompt_started p2'), 'the start of the second')
    turns.cancel()
    assert.deepEqual(events().slice(-2), ['prompt_cancelled p2', 'turn_complete p2 cancelled'])
    await answer('end_turn')
    assert.deepEqual([answers.length, cancels], [1, ['cancel']])
    submit('three')
    await until(() => answers.length >= 2, 'the next prompt')
    await answer('end_turn')
    assert.deepEqual(events().slice(-1), ['turn_complete p3 end_turn'])
  })

  it('D29: a deadline fails the turn, once, whatever the agent says afterwards', async () => {
    const {submit, events, answer, cancels} = createScene()
    submit('one', 1)
    await until(() => events().length > 0, 'the deadline')
    await answer('end_turn')
    assert.deepEqual(cancels, ['cancel'])
    assert.deepEqual(events(), ['turn_error p1 prompt exceeded the 1ms deadline'])
  })

  it('D29: closing a busy session starts nothing that waits, and tells each its end', async () => {
    const {submit, events, answer, turns, answers} = createScene()
    submit('one')
    submit('two')
    await setImmediate()
    const closed = turns.close()
    await answer('cancelled')
    await closed
    assert.equal(answers.length, 1)
    assert.deepEqual(events(), [
      'pending_prompt_added p2',
      'pending_prompt_completed p2',
      'turn_complete p2 cancelled',
      'prompt_cancelled p1',
      'turn_complete p1 cancelled',
    ])
    assert.throws(() => submit('three'), {code: 'session_not_found'})
  })

  it('D18, FR-53: a cancel answers what the agent asked, so that it can end', async () => {
    const {submit, permissions, turns, log} = createScene()
    submit('one')
    await setImmediate()
    const options = [{optionId: 'yes', name: 'Yes', kind: 'allow_once'}]
    const asked = permissions.ask({requestId: 'r', toolCall: {}, options, createdAtMs: 0, eventId: 1})
    turns.cancel()
    assert.deepEqual(await asked, {outcome: 'cancelled'})
    assert.equal(log.events().at(-1)?.type, 'permission_resolved')
    assert.throws(() => permissions.answer('r', {outcome: 'cancelled'}), {code: 'permission_not_pending'})
  })

  it('D10: a dead agent ends every prompt as failed', async () => {
    const {submit, events, turns} = createScene()
    submit('one')
    submit('two')
    await setImmediate()
    turns.fail({message: 'gone'})
    assert.deepEqual(events(), [
      'pending_prompt_added p2',
      'turn_error p1 gone',
      'pending_prompt_completed p2',
      'turn_error p2 gone',
    ])
  })
})
