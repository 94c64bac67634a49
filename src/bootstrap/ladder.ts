import type {Checkout} from '../workspace/checkout.js'
import {allLiveCheckouts, labelOf, liveCheckouts, nameOf} from './candidates.js'
import {decideTarget} from './explicit-target.js'
import type {Chosen, Decision, LadderFacts, RecordChange, Selected} from './ladder-facts.js'
import {conflictQuestion, pickQuestion} from './questions.js'

/** The ladder (W8): which checkout a command acts in, a question that would settle it, or why there is none. Pure. */
export const decide = (facts: LadderFacts): Decision => {
  if (facts.target !== undefined) return decideTarget(facts, facts.target)
  const pinned = stickyPin(facts)
  if (pinned !== undefined) return pinned
  return facts.mayAsk ? decideAsking(facts) : decideSilently(facts)
}

/** A sticky pin, while its checkout is live. One that is gone is an active selection like any other. */
const stickyPin = (facts: LadderFacts): Chosen | undefined => {
  const active = activeOf(facts)
  return facts.selection?.sticky === true && active?.isLive === true ? fromSession(active.checkout) : undefined
}

/** Every step that asks nothing (S7); without a terminal there is no selection, and only the cwd is left. */
const decideSilently = (facts: LadderFacts): Decision => {
  const here = cwdStep(facts)
  if (here !== undefined) return here
  const active = activeOf(facts)
  return active?.isLive === true ? fromSession(active.checkout) : {kind: 'none'}
}

const decideAsking = (facts: LadderFacts): Decision => {
  const active = activeOf(facts)
  if (facts.cwd.kind === 'inside' && active !== undefined && differs(active, facts.cwd.checkout)) {
    return conflictQuestion(facts, facts.cwd.checkout, {
      selected: active.checkout,
      once: () => useActive(facts, active, {kind: 'none'}),
      sticky: () => useActive(facts, active, {kind: 'select', sticky: true}),
    })
  }
  const here = cwdStep(facts)
  if (here !== undefined) return here
  if (active !== undefined && (active.isLive || active.siblings.length > 0))
    return useActive(facts, active, {kind: 'none'})
  const checkouts = allLiveCheckouts(facts)
  if (checkouts.length === 0) return {kind: 'none'}
  return pickQuestion(facts, 'There is no workspace here. Which one?', {checkouts, source: 'picker'})
}

const cwdStep = ({cwd}: LadderFacts): Decision | undefined => {
  if (cwd.kind === 'inside') return {kind: 'chosen', checkout: cwd.checkout, source: 'cwd', record: {kind: 'none'}}
  return cwd.kind === 'unusable' ? {kind: 'fail', error: cwd.error} : undefined
}

/** The session's active selection. `siblings` are the live checkouts that one that is gone can be recovered to. */
type Active = Selected & {readonly siblings: readonly Checkout[]}

const activeOf = (facts: LadderFacts): Active | undefined => {
  const active = facts.selection?.history[0]
  return active === undefined ? undefined : {...active, siblings: liveCheckouts(facts, active.checkout.id)}
}

/**
 * A live selection differs by its root. One that is gone is covered by any surviving checkout of its workspace, and
 * where none survives there is nothing to choose.
 */
const differs = (active: Active, cwd: Checkout): boolean =>
  active.isLive ? active.checkout.root !== cwd.root : active.checkout.id !== cwd.id && active.siblings.length > 0

/** The session's workspace: its checkout, the one live sibling of one that is gone, or a choice among several. */
const useActive = (facts: LadderFacts, active: Active, record: RecordChange): Decision => {
  if (active.isLive) return fromSession(active.checkout, record)
  const gone = active.checkout
  const repaired: RecordChange = record.kind === 'select' ? {...record, gone} : {kind: 'repair', gone}
  const [only, ...more] = active.siblings
  if (only !== undefined && more.length === 0) return fromSession(only, repaired)
  return pickQuestion(
    facts,
    `${active.checkout.root} is gone. Which checkout of ${nameOf(facts, active.checkout)} takes its place?`,
    {checkouts: active.siblings, source: 'session', record: repaired},
  )
}

const fromSession = (checkout: Checkout, record: RecordChange = {kind: 'none'}): Chosen => ({
  kind: 'chosen',
  checkout,
  source: 'session',
  record,
})

/** What a person should hear about a choice that the cwd does not show; undefined when there is nothing to say. */
export const noticeOf = (facts: LadderFacts, chosen: Chosen): string | undefined => {
  const cwdRoot = facts.cwd.kind === 'inside' ? facts.cwd.checkout.root : undefined
  if (chosen.source !== 'session' || chosen.checkout.root === cwdRoot) return undefined
  const gone = chosen.record.kind === 'none' ? undefined : chosen.record.gone
  const why = gone === undefined ? '' : ` (${gone.root} is gone)`
  return `Working in ${labelOf(facts, chosen.checkout)}${why}, as this session has chosen.`
}
