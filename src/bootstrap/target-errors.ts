import {JpError} from '../errors/jp-error.js'
import {allLiveCheckouts, liveCheckouts, nameOf, nearestTarget, withCandidates} from './candidates.js'
import type {Decision, LadderFacts} from './ladder-facts.js'

/** Where the grammar is told. */
export const seeTargets = 'See "jp help targets" for what can be named.'

/** The end of a target that names nothing usable. */
export const fail = (error: JpError): Decision => ({kind: 'fail', error})

/** Nothing is known by that name (exit 3). */
export const notFound = (message: string, hint: string = seeTargets): Decision =>
  fail(new JpError('workspace_not_found', message, {hint}))

/** A target that only a session could settle, in a run that has none (exit 2). */
export const needsTerminal = (facts: LadderFacts, word: string): Decision => {
  const message = `-w ${word} needs a terminal: without one there is no session to look at. Name a workspace:`
  return fail(
    withCandidates(
      facts,
      {code: 'workspace_target_ambiguous', message, otherwise: seeTargets},
      allLiveCheckouts(facts),
    ),
  )
}

/** A folder that is there but in no workspace. It still wins over an id, so say how the id is named instead. */
export const outside = (facts: LadderFacts, text: string): Decision => {
  const namesake = facts.known.find(({id, slug}) => id === text || slug === text)
  const checkouts = namesake === undefined ? [] : liveCheckouts(facts, namesake.id)
  const message = `${text} is a folder that lies in no workspace.`
  return fail(
    withCandidates(
      facts,
      {code: 'workspace_not_found', message, otherwise: 'Run "jp init" there to make one.'},
      checkouts,
    ),
  )
}

/** Every checkout of a workspace that was named is gone (exit 3). */
export const allGone = (facts: LadderFacts, text: string): Decision => {
  const named = facts.known.filter(({id, slug}) => id === text || slug === text)
  const gone = named.flatMap(({dead}) => dead.map(({path}) => path))
  const where = gone.length === 0 ? '' : `: ${gone.join(', ')}`
  const [only, ...more] = named
  return fail(
    new JpError('no_live_checkout', `No checkout of "${text}" is left on this machine${where}.`, {
      hint: 'If it has moved, name its path: jp -w PATH …. The next query there registers it again.',
      details: {...(only !== undefined && more.length === 0 ? {id: only.id} : {}), roots: []},
    }),
  )
}

/** A path that is not there: unknown, or a checkout that is gone (exit 3). */
export const missingPath = (facts: LadderFacts, text: string): Decision => {
  const workspace = facts.known.find(({dead}) => dead.some(({path}) => path === text))
  if (workspace === undefined) return notFound(`There is no folder ${text}.`, hintNear(facts, text))
  const message = `${text} is gone. It was a checkout of ${nameOf(facts, {id: workspace.id, root: text})}.`
  return fail(
    withCandidates(
      facts,
      {code: 'checkout_not_live', message, otherwise: seeTargets},
      liveCheckouts(facts, workspace.id),
    ),
  )
}

/** The near miss, or where to look. */
export const hintNear = (facts: LadderFacts, text: string): string => {
  const near = nearestTarget(facts, text)
  return near === undefined ? 'See "jp w ls" for what there is.' : `Did you mean ${near}?`
}
