import {JpError} from '../errors/jp-error.js'
import type {WorkspaceId} from '../platform/id-grammar.js'
import {cleanSelections} from '../session/selection-store.js'
import type {Checkout} from '../workspace/checkout.js'
import {readKnownWorkspaces} from '../workspace/known-workspaces.js'
import {registerRoot} from '../workspace/roots-registry.js'
import {discardNewSilo, findSilo, openSilo, slugOf} from '../workspace/silo.js'
import {allLiveCheckouts, withCandidates} from './candidates.js'
import {chooseCheckout, recordChoice} from './choose-checkout.js'
import type {ExecutionContext} from './execution-context.js'
import {directoriesOf} from './execution-directories.js'
import {importConversations, tidyConversations} from './import-conversations.js'
import {noticeOf} from './ladder.js'
import type {LadderFacts} from './ladder-facts.js'
import {holderOf, type Launch} from './launch.js'
import {nameCheckout} from './unnamed-checkout.js'

/** How a checkout is opened: `register` is a `load` for a command that only reads, and leaves out what only writers need. */
export type Opening = 'resolve' | 'register' | 'load'

/**
 * Chooses the checkout of this run and opens it (W8, W10): `resolve` reads only; `register` registers the
 * checkout, and creates the user-local store with what the checkout brought; `load` also gives an unnamed checkout its id
 * and tidies up after the dead. What an answer
 * decided is recorded in each.
 * @throws JpError as `chooseCheckout`; `workspace_not_found` when there is none; `disk_full`, `file_unwritable`.
 */
export const openCheckout = async (opening: Opening, launch: Launch): Promise<ExecutionContext> => {
  const choice = await chooseCheckout(launch, {mayAsk: true, mayName: opening === 'load'})
  const {chosen, facts} = choice
  if (chosen === undefined) throw noWorkspace(facts)
  const notice = noticeOf(facts, chosen)
  if (notice !== undefined) launch.output.note(notice)
  const opened = openChosen(opening, chosen.checkout, launch)
  await recordChoice(launch, {...choice, chosen: {...chosen, checkout: opened.checkout}})
  return {...opened, source: chosen.source, ...directoriesOf(opened.checkout, facts, launch)}
}

/** A checkout and its user-local store. */
export type Opened = Pick<ExecutionContext, 'checkout' | 'silo'>

const openChosen = (opening: Opening, checkout: Checkout, launch: Launch): Opened => {
  if (opening === 'resolve') return resolveSilo(checkout, launch)
  return opening === 'load' ? loadCheckout(checkout, launch) : registerCheckout(checkout, launch)
}

const resolveSilo = (checkout: Checkout, launch: Launch): Opened => ({
  checkout,
  silo: findSilo(launch.directories.data, checkout.id, slugOf(checkout.root)),
})

/**
 * The ordinary open of a checkout that was chosen already (W10): as `load`, and as a plugin's first request to it (S29).
 * @throws JpError `disk_full`, `file_unwritable`, `state_busy`.
 */
export const loadCheckout = (chosen: Checkout, launch: Launch): Opened => {
  const {checkout, isNew} = nameCheckout(chosen)
  if (isNew) launch.output.note(`${checkout.root} had no workspace id; it is ${checkout.id} now.`)
  const {silo} = registerCheckout(checkout, launch)
  tidyConversations(checkout, silo, launch)
  return {checkout, silo}
}

const registerCheckout = (checkout: Checkout, launch: Launch): Opened & {readonly silo: string} => {
  const {silo, isNew: isNewSilo, merged} = openSilo(launch.directories.data, checkout, holderOf(launch))
  for (const other of merged) launch.output.note(`Merged ${other} into ${silo}: both were stores of ${checkout.id}.`)
  const damaged = register({silo, isNew: isNewSilo}, checkout, launch)
  if (damaged !== undefined) launch.output.warn(`A damaged registry entry was set aside as ${damaged}.`)
  if (isNewSilo) importConversations(checkout, silo, launch)
  return {checkout, silo}
}

const register = (
  store: {readonly silo: string; readonly isNew: boolean},
  checkout: Checkout,
  launch: Launch,
): string | undefined => {
  try {
    return registerRoot(store.silo, checkout, launch.clock.nowMs())
  } catch (error) {
    if (store.isNew) discardNewSilo(store.silo)
    throw error
  }
}

const noWorkspace = (facts: LadderFacts): JpError => {
  const {cwd} = facts
  if (cwd.kind === 'outside' && !cwd.exists) {
    const message = `The folder you are in, ${cwd.path}, is gone.`
    return withCandidates(
      facts,
      {code: 'workspace_not_found', message, otherwise: makeOne},
      siblingsOf(facts, cwd.path),
    )
  }
  const here = cwd.kind === 'outside' ? cwd.path : ''
  const message = `${here} lies in no workspace.`
  const others = allLiveCheckouts(facts).length === 0 ? '' : '\nOr name one of "jp w ls": jp -w TARGET …'
  return withCandidates(
    facts,
    {code: 'workspace_not_found', message, otherwise: `${makeOne}${others}`},
    siblingsOf(facts, here),
  )
}

const makeOne = 'Run "jp init" to make one here.'

/** The live checkouts of the workspace that a folder was a checkout of. */
const siblingsOf = (facts: LadderFacts, folder: string): Checkout[] => {
  const workspace = facts.known.find(({dead}) => dead.some(({path}) => path === folder))
  return (workspace?.live ?? []).map(({path}) => ({id: workspace?.id as WorkspaceId, root: path}))
}

/**
 * What a run that loads leaves tidy at its end (W5): the records of sessions that are over. It never fails a run that
 * has done its work.
 */
export const endLoad = async (launch: Launch): Promise<void> => {
  if (launch.globals.noPersist) return
  try {
    let live: Set<WorkspaceId> | undefined
    await cleanSelections(launch.directories.data, holderOf(launch), (id) => {
      live ??= new Set(
        readKnownWorkspaces(launch.directories.data).flatMap((known) => (known.live.length > 0 ? [known.id] : [])),
      )
      return live.has(id)
    })
  } catch (error) {
    if (!(error instanceof JpError)) throw error
  }
}
