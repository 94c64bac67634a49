import {join} from 'node:path'
import {hasCode, JpError} from '../errors/jp-error.js'
import type {ConversationId} from '../platform/id-grammar.js'
import {type ConversationRoot, type Copy, copiesOf} from './conversation-roots.js'
import {chooseUnits, type StampedCopy, stampCopy, type Units} from './units.js'

/** What reading needs to know. */
export type View = {
  readonly roots: readonly ConversationRoot[]
  /** Whether a checkout of this workspace is there now (S24). */
  isLive(root: string): boolean
}

/** A conversation's copies, looked at and weighed, unread. */
export type Located = {
  readonly id: ConversationId
  readonly copies: readonly StampedCopy[]
  readonly units: Units
}

/** Looks for a conversation; undefined when no root holds it. */
export const locate = (roots: readonly ConversationRoot[], id: ConversationId): Located | undefined => {
  const copies = copiesOf(roots, id)
  return copies.length === 0 ? undefined : weigh(id, copies)
}

/** Stamps and weighs copies that were found. */
export const weigh = (id: ConversationId, copies: readonly Copy[]): Located => {
  const stamped = copies.map(stampCopy)
  return {id, copies: stamped, units: chooseUnits(stamped)}
}

/** As {@link weigh}. Copies that can't be looked at are given as they are: whoever reads them is told why (W20). */
export const weighAnyway = (id: ConversationId, copies: readonly Copy[]): Located => {
  try {
    return weigh(id, copies)
  } catch (error) {
    if (!hasCode(error, 'file_unreadable')) throw error
    const unseen = copies.map((copy) => ({copy, stamps: noStamps}))
    return {id, copies: unseen, units: {metadata: unseen[0], stream: unseen[0]}}
  }
}

const noStamps = {'metadata.json': undefined, 'base_config.json': undefined, 'events.json': undefined}

/** The copies that were found vanish when a writer moves their folder; then they are looked for again. */
const attempts = 5

/** Runs a read of a conversation, again when its folder was renamed meanwhile. */
export const readSettled = <Result>(
  roots: readonly ConversationRoot[],
  id: ConversationId,
  read: (located: Located) => Result,
): Result => {
  for (let attempt = 1; ; attempt++) {
    const located = locate(roots, id)
    if (located === undefined) throw notFound(id)
    try {
      return read(located)
    } catch (error) {
      if (attempt === attempts || !(error instanceof JpError) || !mayBeMoving(error)) throw error
    }
  }
}

const mayBeMoving = (error: JpError): boolean =>
  error.code === 'file_not_found' || (error.code === 'conversation_corrupt' && error.details['missing'] === true)

/** The error for an id that names nothing here. */
export const notFound = (id: ConversationId): JpError =>
  new JpError('conversation_not_found', `There is no conversation ${id} in this workspace.`, {
    hint: 'See "jp conversation ls", or "jp conversation ls --archived".',
  })

/** The copy that holds a unit; the error says which file is missing. */
export const unitCopy = (located: Located, unit: keyof Units): StampedCopy => {
  const copy = located.units[unit]
  if (copy !== undefined) return copy
  const file = unit === 'metadata' ? 'metadata.json' : 'events.json'
  const directory = located.copies[0]?.copy.directory ?? ''
  throw new JpError('conversation_corrupt', `${join(directory, file)}: there is no such file.`, {
    hint: 'Nothing was changed. "jp doctor" shows what is there.',
    details: {missing: true},
  })
}
