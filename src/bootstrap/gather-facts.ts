import {join, resolve} from 'node:path'
import {canonicalIfPresent} from '../platform/contained-path.js'
import {readFirstLineOfStdin} from '../platform/stdin-line.js'
import {findSession, type SessionIdentity} from '../session/identity.js'
import {readSelection} from '../session/selection-store.js'
import {locate, type Place} from '../workspace/discovery.js'
import {type KnownWorkspace, readKnownWorkspaces} from '../workspace/known-workspaces.js'
import {isLiveRoot} from '../workspace/roots-registry.js'
import type {LadderFacts, TargetFacts} from './ladder-facts.js'
import type {Launch} from './launch.js'
import {pasteable} from './pasteable.js'
import {searchCheckouts} from './search-checkouts.js'
import {parseTarget} from './target.js'
import {placeUnnamed} from './unnamed-checkout.js'

/** For whom the facts are gathered. */
export type Gathering = {
  /** The target, in place of the launch's `-w`. */
  readonly target?: string
  /** A question may be asked: `resolve` and `load` on a terminal. */
  readonly mayAsk: boolean
  /** A checkout without an id may be given one: `load`. */
  readonly mayName: boolean
  /** The workspaces of this machine, when they have just been read. */
  readonly known?: readonly KnownWorkspace[]
}

/** The facts, and the session that they were read for. */
export type Gathered = {readonly facts: LadderFacts; readonly session: SessionIdentity | undefined}

/** Reads what the ladder decides by (W8). Writes nothing; the one thing it takes is the line of stdin that `-` names. */
export const gatherFacts = async (launch: Launch, gathering: Gathering): Promise<Gathered> => {
  const interactive = launch.prompter !== undefined
  const typed = gathering.target ?? launch.globals.workspace[0]
  const known = gathering.known ?? readKnownWorkspaces(launch.directories.data)
  const place = placer(launch, gathering)
  const session = interactive ? await findSession(launch.environment) : undefined
  const facts = {
    interactive,
    mayAsk: interactive && gathering.mayAsk,
    cwd: place(launch.environment.cwd),
    target: typed === undefined ? undefined : await targetFacts(launch, {typed, known, place}),
    selection: session === undefined ? undefined : selectionOf(launch, session),
    known,
    commandFor: (root: string) => pasteable(launch.argv, typed, root),
  }
  return {facts, session}
}

type Placer = (path: string) => Place

const placer = (launch: Launch, gathering: Gathering): Placer => {
  const {data, config} = launch.directories
  const reserved = [data, config].map((folder) => canonicalIfPresent(folder) ?? folder)
  return (path) => {
    const place = locate(path, reserved)
    if (place.kind !== 'unnamed') return place
    return placeUnnamed(place.root, {name: gathering.mayName, data})
  }
}

const targetFacts = async (
  launch: Launch,
  given: {readonly typed: string; readonly known: readonly KnownWorkspace[]; readonly place: Placer},
): Promise<TargetFacts> => {
  const first = parseTarget(given.typed)
  const target = first.kind === 'stdin' ? parseTarget(await readFirstLineOfStdin()) : first
  if (target.kind !== 'text') return {target, place: {kind: 'outside', path: '', exists: false}, matches: []}
  const place = given.place(resolve(launch.environment.cwd, withHome(launch, target.text)))
  const isThere = place.kind !== 'outside' || place.exists
  return {target, place, matches: isThere ? [] : await searchCheckouts(given.known, target.text)}
}

/** No shell expands the tilde of `--workspace=~/app`. */
const withHome = (launch: Launch, text: string): string =>
  /^~(?:\/|$)/.test(text) ? join(launch.environment.homeDir, text.slice(1)) : text

const selectionOf = (launch: Launch, session: SessionIdentity): LadderFacts['selection'] => {
  const {selection, damaged} = readSelection(launch.directories.data, session)
  if (damaged !== undefined)
    launch.output.warn(`${damaged} can't be read: this session counts as having chosen nothing.`)
  const history = selection.history.map(({id, root}) => ({checkout: {id, root}, isLive: isLiveRoot(id, root)}))
  return {history, sticky: selection.sticky}
}
