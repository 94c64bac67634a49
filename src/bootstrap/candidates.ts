import type {ErrorCode} from '../errors/catalogue.js'
import {JpError} from '../errors/jp-error.js'
import type {WorkspaceId} from '../platform/id-grammar.js'
import {nearest} from '../platform/nearest.js'
import {type Checkout, isSameCheckout} from '../workspace/checkout.js'
import type {KnownWorkspace} from '../workspace/known-workspaces.js'
import {slugOf} from '../workspace/silo.js'
import type {LadderFacts} from './ladder-facts.js'

/**
 * The live checkouts of one workspace, newest first. The cwd's own counts without being registered: live is what W3's
 * rule says, not what a run has written.
 */
export const liveCheckouts = (facts: LadderFacts, id: WorkspaceId): Checkout[] => {
  const registered = (facts.known.find((workspace) => workspace.id === id)?.live ?? []).map(({path}) => ({
    id,
    root: path,
  }))
  if (facts.cwd.kind !== 'inside' || facts.cwd.checkout.id !== id) return registered
  const {checkout} = facts.cwd
  return registered.some((other) => isSameCheckout(other, checkout)) ? registered : [...registered, checkout]
}

/** The live checkouts of all workspaces, newest first. */
export const allLiveCheckouts = (facts: LadderFacts): Checkout[] => {
  const registered = facts.known.flatMap(({id, live}) => live.map(({path, last_used}) => ({id, root: path, last_used})))
  return registered
    .sort((left, right) => (left.last_used < right.last_used ? 1 : left.last_used > right.last_used ? -1 : 0))
    .map(({id, root}) => ({id, root}))
}

/** A workspace in words: `app (a1b2c)`. */
export const nameOf = (facts: LadderFacts, {id, root}: Checkout): string => {
  const slug = facts.known.find((workspace) => workspace.id === id)?.slug ?? slugOf(root)
  return slug === '' ? id : `${slug} (${id})`
}

/** A checkout in words: `app (a1b2c) at /src/app`. */
export const labelOf = (facts: LadderFacts, checkout: Checkout): string =>
  `${nameOf(facts, checkout)} at ${checkout.root}`

/** An error about candidates: one command to paste a line, and the same as data. */
export const withCandidates = (
  facts: LadderFacts,
  what: {readonly code: ErrorCode; readonly message: string; readonly otherwise?: string},
  candidates: readonly Checkout[],
): JpError =>
  new JpError(what.code, what.message, {
    hint: candidates.length > 0 ? candidates.map(({root}) => facts.commandFor(root)).join('\n') : what.otherwise,
    details: {
      ...idOf(candidates),
      roots: candidates.map(({root}) => root),
      candidates: candidates.map(({id, root}) => ({id, root, command: facts.commandFor(root)})),
    },
  })

/** The workspace that all of them are of, if it is one. */
const idOf = (candidates: readonly Checkout[]): {readonly id?: WorkspaceId} => {
  const [first, ...others] = candidates
  return first !== undefined && others.every(({id}) => id === first.id) ? {id: first.id} : {}
}

/** The known name that a text was probably meant to be: an id, a slug, or a form with the folder. */
export const nearestTarget = (facts: LadderFacts, text: string): string | undefined =>
  nearest(
    text,
    facts.known.flatMap(({id, slug, live}) => [
      id,
      ...(slug === null ? [] : [slug]),
      ...live.flatMap(({path}) => atForms({id, slug}, path)),
    ]),
  )

/** The forms that name one checkout of a workspace by its folder: `<id>@<folder>` and `<slug>@<folder>`. */
export const atForms = ({id, slug}: Pick<KnownWorkspace, 'id' | 'slug'>, root: string): string[] => {
  const folder = slugOf(root)
  return slug === null ? [`${id}@${folder}`] : [`${id}@${folder}`, `${slug}@${folder}`]
}
