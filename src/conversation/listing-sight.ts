import {sep} from 'node:path'
import {JpError} from '../errors/jp-error.js'
import type {LookInto} from '../platform/look-into.js'
import {type ConversationRoot, type Copy, shelfOf} from './conversation-roots.js'
import {localMetadataName} from './local-metadata.js'
import type {Group} from './shelves.js'
import {type ManagedFile, managedFiles, type Stamped, stampOf} from './units.js'

/** A file that a listing depends on. The record of where a conversation last ran stands beside the durable copy. */
export type ListedFile = ManagedFile | typeof localMetadataName

/**
 * The files of a copy that a listing depends on, in the order in which their stamps are kept. A base configuration is never
 * read; its time matters where two different streams compete, and there alone.
 */
export const filesOf = ({root: {place}}: Copy, isOneStream: boolean): readonly ListedFile[] =>
  place === 'silo' ? (isOneStream ? durableFiles : competingDurableFiles) : isOneStream ? projectedFiles : managedFiles

const projectedFiles = ['metadata.json', 'events.json'] as const
const durableFiles = [...projectedFiles, localMetadataName] as const
const competingDurableFiles = [...managedFiles, localMetadataName] as const

/**
 * Visits the copies of many conversations. `visit` is given the place of the conversation among the groups, and what reaches
 * the folder of the copy.
 */
export type VisitCopies = (
  groups: readonly Group[],
  visit: (place: number, copy: Copy, directory: string) => void,
) => void

/** Visits them shelf by shelf, in the order in which the copies of a group come: so a look can go from within each shelf. */
export const visitorOf = (roots: readonly ConversationRoot[], lookInto: LookInto): VisitCopies => {
  const shelves = roots.flatMap((root) =>
    [false, true].map((archived) => ({root, archived, folder: shelfOf(root, archived)})),
  )
  return (groups, visit) =>
    lookInto(shelves, ({root, archived}, prefix) => {
      for (const [place, {copies}] of groups.entries()) {
        for (const copy of copies)
          if (copy.root === root && copy.archived === archived) visit(place, copy, prefix + copy.name)
      }
    })
}

/** A copy as a listing sees it at first: all that it needs unless two different streams compete. */
export type SightedCopy = Stamped<Exclude<ListedFile, 'base_config.json'>>

/** The copies of a conversation, seen; undefined where one could not be looked at: whoever reads it is told why (W20). */
export type Sighted = readonly SightedCopy[] | undefined

/** Looks at the files of many conversations; gives them in the order of the groups. */
export const sightAll = (groups: readonly Group[], visitCopies: VisitCopies): readonly Sighted[] => {
  const seen: (SightedCopy[] | undefined)[] = groups.map(() => [])
  visitCopies(groups, (place, copy, directory) => {
    const sighted = ifSeen(() => sight(copy, directory))
    if (sighted === undefined) seen[place] = undefined
    else seen[place]?.push(sighted)
  })
  return seen
}

/** What a look gives; undefined when it fails. @param look throws JpErrors, and they alone are taken. */
export const ifSeen = <Value>(look: () => Value): Value | undefined => {
  try {
    return look()
  } catch (error) {
    if (!(error instanceof JpError)) throw error
    return undefined
  }
}

/** Looks at the files of one copy. @throws JpError `file_unreadable`. */
export const sight = (copy: Copy, directory: string): SightedCopy => ({
  copy,
  stamps: {
    'metadata.json': stampOf(`${directory}${sep}metadata.json`),
    'events.json': stampOf(`${directory}${sep}events.json`),
    [localMetadataName]: copy.root.place === 'silo' ? stampOf(`${directory}${sep}${localMetadataName}`) : undefined,
  },
})
