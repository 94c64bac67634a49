import {JpError} from '../errors/jp-error.js'
import {type SessionIdentity} from '../session/identity.js'
import {repair, select} from '../session/selection.js'
import {updateSelection} from '../session/selection-store.js'
import {type Gathering, gatherFacts} from './gather-facts.js'
import {decide} from './ladder.js'
import type {Chosen, Decision, LadderFacts, Question, RecordChange} from './ladder-facts.js'
import {holderOf, type Launch} from './launch.js'

/** What the ladder came to, once every question is answered. */
export type Choice = {
  /** Undefined when there is no workspace to act in. */
  readonly chosen: Chosen | undefined
  readonly facts: LadderFacts
  readonly session: SessionIdentity | undefined
}

/**
 * Chooses a checkout and asks what must be asked. Writes nothing: see {@link recordChoice}.
 * @throws JpError `checkout_ambiguous`, `workspace_target_ambiguous`, `workspace_target_invalid` (exit 2);
 * `workspace_not_found`, `no_live_checkout`, `checkout_not_live` (exit 3); `workspace_id_invalid`, `file_refused`;
 * `selection_cancelled` when the answer was to quit, `interrupted` for Ctrl-C.
 */
export const chooseCheckout = async (launch: Launch, gathering: Gathering): Promise<Choice> => {
  const {facts, session} = await gatherFacts(launch, gathering)
  let decision = decide(facts)
  while (decision.kind === 'ask') decision = await answerTo(decision, launch)
  if (decision.kind === 'fail') throw decision.error
  return {chosen: decision.kind === 'chosen' ? decision : undefined, facts, session}
}

const answerTo = async (question: Question, launch: Launch): Promise<Decision> => {
  if (launch.prompter === undefined) throw new JpError('answer_required', question.message)
  const choices = question.answers.map(({leadsTo, ...words}) => ({...words, value: leadsTo}))
  return launch.prompter[question.style === 'keys' ? 'choose' : 'search']({message: question.message, choices})
}

/**
 * Writes what a choice changes in the session's record (W6): nothing for most.
 * @throws JpError `disk_full`, `file_unwritable`, `state_busy`.
 */
export const recordChoice = async (launch: Launch, {chosen, session}: Choice): Promise<void> => {
  if (chosen === undefined || session === undefined || launch.globals.noPersist) return
  const {checkout, record} = chosen
  if (record.kind === 'none') return
  await updateSelection(launch.directories.data, {session, holder: holderOf(launch)}, (selection) => {
    const mended = record.gone === undefined ? selection : repair(selection, {gone: record.gone, by: checkout})
    return record.kind === 'repair' ? mended : select(mended, checkout, selectOptions(record, launch))
  })
}

const selectOptions = (record: Extract<RecordChange, {kind: 'select'}>, launch: Launch) => ({
  atMs: launch.clock.nowMs(),
  ...(record.sticky === undefined ? {} : {sticky: record.sticky}),
})
