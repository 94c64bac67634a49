import {join} from 'node:path'
import {JpError} from '../errors/jp-error.js'
import {createAtomic, listNames} from '../platform/files.js'
import {quoteForShell} from '../platform/shell-quote.js'
import type {Checkout} from '../workspace/checkout.js'
import type {Place} from '../workspace/discovery.js'
import {freeWorkspaceId} from '../workspace/free-workspace-id.js'
import {parseSiloName, silosOf} from '../workspace/known-workspaces.js'
import {readRoots} from '../workspace/roots-registry.js'
import {idFileOf, idFileText, readWorkspaceId} from '../workspace/workspace-id-file.js'

/**
 * What a checkout without `.jp/.id` counts as (docs/decisions/0020). A run that loads may name it anew, but only where no
 * store of this machine has it registered: a new id would detach that store. Nothing is written here.
 */
export const placeUnnamed = (root: string, may: {readonly name: boolean; readonly data: string}): Place => {
  const path = idFileOf(root)
  const before = formerId(may.data, root)
  if (before !== undefined) {
    const message = `${path} is missing. This checkout was one of workspace ${before}.`
    return {
      kind: 'unusable',
      error: invalid(message, `To keep its conversations: echo ${before} > ${quoteForShell(path)}`),
    }
  }
  if (may.name) return {kind: 'inside', checkout: {id: freeWorkspaceId(may.data), root}}
  const hint =
    'Restore it from version control. Where there is none, the next "jp query" in it gives it an id of its own.'
  return {kind: 'unusable', error: invalid(`${path} is missing, so nothing tells which workspace this is.`, hint)}
}

const invalid = (message: string, hint: string): JpError => new JpError('workspace_id_invalid', message, {hint})

const formerId = (data: string, root: string): string | undefined => {
  const silos = silosOf(data)
  const name = listNames(silos).find(
    (name) => parseSiloName(name) !== undefined && readRoots(join(silos, name)).some(({path}) => path === root),
  )
  return name === undefined ? undefined : parseSiloName(name)?.id
}

/**
 * Writes the id of a chosen checkout that has none. When another run was faster, its id counts.
 * @returns the checkout with the id that its file holds, and whether this run wrote it.
 * @throws JpError `disk_full`, `file_unwritable`, `workspace_id_invalid`.
 */
export const nameCheckout = (checkout: Checkout): {readonly checkout: Checkout; readonly isNew: boolean} => {
  const known = readWorkspaceId(checkout.root)
  if (known !== undefined) return {checkout: {...checkout, id: known}, isNew: false}
  const isNew = createAtomic(idFileOf(checkout.root), idFileText(checkout.id), 'umask')
  return {checkout: {...checkout, id: readWorkspaceId(checkout.root) ?? checkout.id}, isNew}
}
