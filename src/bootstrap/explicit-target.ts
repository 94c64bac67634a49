import {JpError} from '../errors/jp-error.js'
import type {Checkout} from '../workspace/checkout.js'
import type {KnownWorkspace} from '../workspace/known-workspaces.js'
import {allLiveCheckouts, atForms, labelOf, liveCheckouts, nameOf, withCandidates} from './candidates.js'
import type {Chosen, Decision, LadderFacts, TargetFacts} from './ladder-facts.js'
import {pickQuestion} from './questions.js'
import {looksLikePath} from './target.js'
import {allGone, fail, hintNear, missingPath, needsTerminal, notFound, outside, seeTargets} from './target-errors.js'

/** What an explicit target comes to (W7). Never the cwd instead: that would act where the user did not say. */
export const decideTarget = (facts: LadderFacts, given: TargetFacts): Decision => {
  const {target} = given
  switch (target.kind) {
    case 'empty':
      return fail(new JpError('workspace_target_invalid', 'The target of -w is empty.', {hint: seeTargets}))
    case 'pick':
      return pickAmong(facts, allLiveCheckouts(facts), '?')
    case 'pick-session':
      return facts.interactive
        ? pickAmong(facts, sessionCheckouts(facts), '?session')
        : needsTerminal(facts, '?session')
    case 'previous':
      return facts.interactive ? previous(facts) : needsTerminal(facts, 'session')
    case 'recent':
      return recent(facts)
    case 'cwd':
      return cwd(facts)
    case 'text':
      return decideText(facts, given, target.text)
    case 'stdin':
    case 'help':
      // Both are answered before a place is looked for; a line of stdin can't stand for another one.
      return fail(
        new JpError('workspace_target_invalid', `"${target.kind === 'help' ? 'help' : '-'}" names no workspace.`),
      )
  }
}

const chosen = (checkout: Checkout, source: Chosen['source']): Chosen => ({
  kind: 'chosen',
  checkout,
  source,
  record: {kind: 'none'},
})

const pickAmong = (facts: LadderFacts, checkouts: readonly Checkout[], word: string): Decision => {
  if (checkouts.length === 0) return notFound('There is no workspace to pick from.', 'Run "jp init" to make one.')
  if (facts.mayAsk) return pickQuestion(facts, 'Which workspace?', {checkouts, source: 'picker'})
  const message = `-w ${word} asks which workspace is meant, and nobody can be asked. Name one:`
  return fail(withCandidates(facts, {code: 'workspace_target_ambiguous', message}, checkouts))
}

const sessionCheckouts = (facts: LadderFacts): Checkout[] =>
  (facts.selection?.history ?? []).filter(({isLive}) => isLive).map(({checkout}) => checkout)

/** The previous selection is one exact checkout: another of the same workspace is not what was used before. */
const previous = (facts: LadderFacts): Decision => {
  const entry = facts.selection?.history[1]
  if (entry === undefined)
    return notFound('This session has used no other workspace before.', 'Choose one: jp w use "?"')
  if (entry.isLive) return chosen(entry.checkout, 'session')
  const message = `${entry.checkout.root}, which this session used before, is gone.`
  return fail(
    withCandidates(
      facts,
      {code: 'checkout_not_live', message, otherwise: seeTargets},
      liveCheckouts(facts, entry.checkout.id),
    ),
  )
}

const recent = (facts: LadderFacts): Decision => {
  const newest = allLiveCheckouts(facts)[0]
  return newest === undefined
    ? notFound('No workspace was used here yet.', 'Run "jp init" to make one.')
    : chosen(newest, 'selector')
}

const cwd = (facts: LadderFacts): Decision => {
  if (facts.cwd.kind === 'inside') return chosen(facts.cwd.checkout, 'cwd')
  if (facts.cwd.kind === 'unusable') return fail(facts.cwd.error)
  return notFound('The folder you are in lies in no workspace.', 'Run "jp init" to make one here.')
}

/** A path that exists wins; then an id, a form with the folder, a slug; then whatever has the text in it. */
const decideText = (facts: LadderFacts, given: TargetFacts, text: string): Decision => {
  const {place} = given
  if (place.kind === 'inside') return chosen(place.checkout, 'path')
  if (place.kind === 'unusable') return fail(place.error)
  if (place.kind === 'outside' && place.exists) return outside(facts, text)
  const id = facts.known.find((workspace) => workspace.id === text)?.id ?? ownId(facts, text)
  if (id !== undefined) return oneOf(facts, {text, checkouts: liveCheckouts(facts, id)}, 'id')
  const byFolder = facts.known.flatMap((workspace) => withFolder(workspace, text))
  if (byFolder.length > 0) return oneOf(facts, {text, checkouts: byFolder}, 'selector')
  const bySlug = facts.known.filter(({slug}) => slug === text)
  if (bySlug.length > 0)
    return oneOf(
      facts,
      {text, checkouts: bySlug.flatMap((workspace) => liveCheckouts(facts, workspace.id))},
      'selector',
    )
  if (looksLikePath(text)) return missingPath(facts, place.kind === 'outside' ? place.path : text)
  return freeText(facts, given.matches, text)
}

const ownId = (facts: LadderFacts, text: string): Checkout['id'] | undefined =>
  facts.cwd.kind === 'inside' && facts.cwd.checkout.id === text ? facts.cwd.checkout.id : undefined

const withFolder = (workspace: KnownWorkspace, text: string): Checkout[] =>
  workspace.live.flatMap(({path}) => (atForms(workspace, path).includes(text) ? [{id: workspace.id, root: path}] : []))

const oneOf = (
  facts: LadderFacts,
  found: {readonly text: string; readonly checkouts: readonly Checkout[]},
  source: Chosen['source'],
): Decision => {
  const {text, checkouts} = found
  const [only, ...more] = checkouts
  if (only === undefined) return allGone(facts, text)
  if (more.length === 0) return chosen(only, source)
  const ids = new Set(checkouts.map(({id}) => id))
  const what =
    ids.size === 1
      ? `${nameOf(facts, only)} has ${checkouts.length} checkouts`
      : `"${text}" is the name of ${ids.size} workspaces`
  if (facts.mayAsk) return pickQuestion(facts, `${what}. Which one?`, {checkouts, source})
  const code = ids.size === 1 ? 'checkout_ambiguous' : 'workspace_target_ambiguous'
  return fail(withCandidates(facts, {code, message: `${what}. Name one:`}, checkouts))
}

const freeText = (facts: LadderFacts, matches: readonly Checkout[], text: string): Decision => {
  const [only, ...more] = matches
  if (only === undefined)
    return notFound(`No workspace is called "${text}", and none has it in its path.`, hintNear(facts, text))
  if (facts.interactive && more.length === 0) return chosen(only, 'selector')
  if (facts.mayAsk)
    return pickQuestion(facts, `Several workspaces have "${text}" in their names. Which one?`, {
      checkouts: matches,
      source: 'selector',
    })
  const message =
    more.length === 0
      ? `"${text}" is only a part of ${labelOf(facts, only)}. Name it whole:`
      : `"${text}" is a part of ${matches.length} checkouts. Name one:`
  return fail(withCandidates(facts, {code: 'workspace_target_ambiguous', message}, matches))
}
