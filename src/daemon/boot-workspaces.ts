import {statSync} from 'node:fs'
import {dirname, resolve} from 'node:path'
import {selectLaunchCheckout} from '../bootstrap/config-only.js'
import type {Launch} from '../bootstrap/launch.js'
import {JpError} from '../errors/jp-error.js'
import {canonicalIfPresent} from '../platform/contained-path.js'
import {forTerminalLine} from '../platform/sanitise.js'
import {quoteForShell} from '../platform/shell-quote.js'
import type {Checkout} from '../workspace/checkout.js'
import {hasStorage, idFileOf, readWorkspaceId} from '../workspace/workspace-id-file.js'

/**
 * The checkouts that a daemon is to serve, in the order of `--workspace`; without any, the cwd's (D1). Nothing is
 * written.
 * @throws JpError `workspace_not_found` and others of a target (exit 3 or 2), `workspace_duplicate`, `workspace_nested`.
 */
export const bootWorkspaces = async (
  targets: readonly string[],
  launch: Launch,
): Promise<readonly [Checkout, ...Checkout[]]> => {
  const named: NamedCheckout[] = []
  for (const target of targets) named.push({target, checkout: await resolveTarget(target, launch)})
  assertApart(named)
  const [first, ...others] = named.map(({checkout}) => checkout)
  return [first ?? (await cwdCheckout(launch)), ...others]
}

/** A checkout, and how the command line names it. */
type NamedCheckout = {readonly target: string; readonly checkout: Checkout}

const resolveTarget = async (target: string, launch: Launch): Promise<Checkout> => {
  const folder = target === '' ? undefined : canonicalIfPresent(resolve(launch.environment.cwd, target))
  if (folder !== undefined && statSync(folder).isDirectory()) return checkoutAt(folder)
  const found = await selectLaunchCheckout(unasked(launch), target)
  if (found === undefined) throw notAWorkspace(target)
  return found.checkout
}

const cwdCheckout = async (launch: Launch): Promise<Checkout> => {
  const none = {...unasked(launch), globals: {...launch.globals, workspace: []}}
  const found = await selectLaunchCheckout(none)
  if (found !== undefined) return found.checkout
  throw notAWorkspace(launch.environment.cwd)
}

/** A daemon is started by scripts as well: only exact forms count, on a terminal too. */
const unasked = (launch: Launch): Launch => ({...launch, prompter: undefined})

/** A folder that was named is that folder: never one above it. */
const checkoutAt = (root: string): Checkout => {
  if (!hasStorage(root)) throw notAWorkspace(root)
  const id = readWorkspaceId(root)
  if (id !== undefined) return {id, root}
  throw new JpError('workspace_not_found', `${idFileOf(root)} is missing, so nothing tells which workspace this is.`, {
    hint: `Run "jp c ls" in ${root} to give it an id.`,
  })
}

const notAWorkspace = (folder: string): JpError =>
  new JpError('workspace_not_found', `${folder} is no workspace.`, {
    hint: `Run: jp init ${quoteForShell(folder)}`,
  })

/**
 * Refuses two workspaces that are one folder, or one in another (D3). Folders are told apart by what the file system
 * says they are, so that neither a spelling nor a mount hides one.
 */
const assertApart = (named: readonly NamedCheckout[]): void => {
  const known = new Map<string, NamedCheckout>()
  for (const one of named) {
    const other = known.get(identity(one.checkout.root))
    if (other !== undefined) throw duplicate(other, one)
    known.set(identity(one.checkout.root), one)
  }
  for (const {checkout} of named) {
    for (let folder = dirname(checkout.root); ; folder = dirname(folder)) {
      const outer = known.get(identity(folder))
      if (outer !== undefined) throw nested(outer.checkout.root, checkout.root)
      if (folder === dirname(folder)) break
    }
  }
}

const identity = (folder: string): string => {
  const {dev, ino} = statSync(folder, {bigint: true})
  return `${dev}:${ino}`
}

const duplicate = (first: NamedCheckout, second: NamedCheckout): JpError => {
  const spellings = `${forTerminalLine(first.target)} and ${forTerminalLine(second.target)}`
  return new JpError(
    'workspace_duplicate',
    `Two --workspace values are the same workspace, ${first.checkout.root}: ${spellings}.`,
    {hint: 'Name each workspace once.', details: {workspaces: [first.checkout.root, second.checkout.root]}},
  )
}

const nested = (outer: string, inner: string): JpError =>
  new JpError('workspace_nested', `One workspace lies in the other: ${inner} is inside ${outer}.`, {
    hint: 'Serve one of them, or start a second daemon with another --port.',
    details: {workspaces: [outer, inner]},
  })
