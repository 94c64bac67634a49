import type {ExecutionContext} from '../../bootstrap/execution-context.js'
import {openCheckout} from '../../bootstrap/open-checkout.js'
import type {LockedConversation} from '../../conversation/locked-conversation.js'
import {JpError} from '../../errors/jp-error.js'
import type {ConversationId} from '../../platform/id-grammar.js'
import {turnConfiguration} from '../../turn/turn-configuration.js'
import type {Invocation} from '../invocation.js'
import {type Chosen, chooseConversation} from './choose-conversation.js'
import {lockForTurn} from './lock-for-turn.js'
import {composeMessage} from './message.js'
import type {QueryOptions} from './query-options.js'
import {openQueryScene, type QueryScene} from './query-scene.js'
import {type QueryTurn, runQueryTurn} from './query-turn.js'
import {readStdinContent} from './stdin-content.js'

/**
 * Runs one turn from the command line (W23): takes the message, chooses the conversation, locks it, shows the turn.
 * @throws JpError whatever keeps the turn from starting, and the error that it ended with.
 */
export const runQuery = async (
  invocation: Invocation,
  context: ExecutionContext,
  options: QueryOptions,
): Promise<void> => {
  const {output} = invocation
  if (options.replay && options.words.length > 0) {
    throw new JpError('usage', 'A request that is sent again has its words: --replay takes none.')
  }
  const stdin = options.replay
    ? undefined
    : await readStdinContent({hasMessage: options.words.length > 0, note: (text) => output.note(text)})
  const here = await openQueryScene(invocation, context)
  const chosen = await chooseConversation(here, options.conversation, async () => {
    const {config} = await turnConfiguration(here.place, undefined, options.cfg)
    return config.conversation.default_id
  })
  if (options.replay && chosen.kind === 'new') {
    throw new JpError('usage', 'This session has no conversation with a request to send again.', {
      hint: 'Name one: jp query --replay --id ID',
    })
  }
  const scene = options.there && chosen.kind === 'existing' ? await sceneThere(here, chosen.id) : here
  const words = options.template ? [await filledIn(scene, chosen, options)] : options.words
  const message = composeMessage({stdin, words, warn: (text) => output.warn(text)})
  const isWritten = options.edit ?? (message === undefined && !options.replay && invocation.prompter !== undefined)
  const goesOn = options.replay || (options.edit === false && chosen.kind === 'existing')
  if (message === undefined && !isWritten && !goesOn) return output.note('The message is empty; nothing was sent.')
  await runChosen({scene, options, message, isWritten}, chosen)
}

/** The words of a template, filled in from the configuration of the conversation. */
const filledIn = async (
  {place, store, invocation}: QueryScene,
  chosen: Chosen,
  options: QueryOptions,
): Promise<string> => {
  const {renderMessage} = await import('./message-template.js')
  const conversation = chosen.kind === 'new' ? undefined : store.read(chosen.id)
  const {config} = await turnConfiguration(place, conversation, options.cfg)
  return renderMessage(options.words.join(' '), {values: config.template.values, prompter: invocation.prompter})
}

const runChosen = async (turn: QueryTurn, chosen: Chosen): Promise<void> => {
  const {scene, options} = turn
  if (chosen.kind === 'new') return runQueryTurn(turn, {kind: 'new', isDefault: chosen.isDefault})
  if (scene.invocation.globals.noPersist) {
    return runQueryTurn(turn, {kind: 'unstored', conversation: scene.store.read(chosen.id)})
  }
  if (options.fork !== undefined) return runForked(turn, chosen.id)
  const answer = await lockForTurn(scene, chosen.id)
  switch (answer.kind) {
    case 'new':
      return runQueryTurn(turn, {kind: 'new', isDefault: false})
    case 'fork':
      return runForked(turn, chosen.id)
    case 'held':
      return runHeld(turn, answer.conversation, false)
  }
}

/** Goes on in a copy: with the last turns alone, or with all of them. */
const runForked = async (turn: QueryTurn, id: ConversationId): Promise<void> => {
  const {scene, options} = turn
  const last = options.fork?.keep
  const forked = scene.store.fork(id, {last, noTurns: last === 0}, {title: options.title})
  scene.invocation.output.note(`Forked ${id}: this is ${forked.id}.`)
  await runHeld(turn, forked, true)
}

const runHeld = async (turn: QueryTurn, conversation: LockedConversation, isFork: boolean): Promise<void> => {
  try {
    await runQueryTurn(turn, {kind: 'held', conversation, isFork})
  } finally {
    conversation.release()
  }
}

/** The scene of the checkout that a conversation last ran in (`--there`). */
const sceneThere = async (here: QueryScene, id: ConversationId): Promise<QueryScene> => {
  const last = here.store.find(id)?.listed.last_root
  if (last === undefined || last.path === here.place.checkout.root) return here
  if (!last.live) {
    throw new JpError('checkout_not_live', `${id} last ran in ${last.path}, which is no checkout any more.`, {
      hint: `Run it here: jp query --id ${id} …`,
    })
  }
  const {invocation} = here
  const globals = {...invocation.globals, workspace: [last.path]}
  const context = await openCheckout('load', {...invocation, globals})
  return openQueryScene(here.invocation, context)
}
