import {JpError} from '../errors/jp-error.js'
import type {Checkout} from '../workspace/checkout.js'
import {labelOf, nameOf} from './candidates.js'
import type {Answer, Chosen, Decision, LadderFacts, Question, RecordChange} from './ladder-facts.js'

/** The answer that ends the run: nothing was interrupted, the user said no (exit 1). */
export const quit: Answer = {
  key: 'q',
  label: 'quit: do nothing',
  leadsTo: {kind: 'fail', error: new JpError('selection_cancelled', 'Nothing was chosen, so nothing was done.')},
}

/** A choice among checkouts, narrowed by typing. */
export const pickQuestion = (
  facts: LadderFacts,
  message: string,
  options: {
    readonly checkouts: readonly Checkout[]
    readonly source: Chosen['source']
    readonly record?: RecordChange
  },
): Question => ({
  kind: 'ask',
  style: 'search',
  message,
  answers: options.checkouts.map((checkout) => ({
    label: labelOf(facts, checkout),
    leadsTo: {kind: 'chosen', checkout, source: options.source, record: options.record ?? {kind: 'none'}},
  })),
})

/**
 * The question where the session's workspace and the cwd's differ (W8), as a list in words.
 * @param active what using the session's workspace comes to: a checkout, or a question about which.
 */
export const conflictQuestion = (
  facts: LadderFacts,
  cwd: Checkout,
  active: {readonly selected: Checkout; once(): Decision; sticky(): Decision},
): Question => {
  const here = labelOf(facts, cwd)
  const there = active.selected.id === cwd.id ? labelOf(facts, active.selected) : nameOf(facts, active.selected)
  const useCwd = (record: RecordChange): Decision => ({kind: 'chosen', checkout: cwd, source: 'cwd', record})
  return {
    kind: 'ask',
    style: 'keys',
    message: `This session works in ${labelOf(facts, active.selected)}, but you are in ${here}. Where should this run?`,
    answers: [
      {key: 'c', label: `here, in ${here}, this time`, leadsTo: useCwd({kind: 'none'})},
      {key: 'C', label: 'here, and let the session work here from now on', leadsTo: useCwd({kind: 'select'})},
      {key: 'a', label: `in ${there}, this time`, leadsTo: active.once()},
      {key: 'A', label: `in ${there}, and wherever I am in this session`, leadsTo: active.sticky()},
      quit,
    ],
  }
}
