import {sep} from 'node:path'
import {readBytes} from '../platform/files.js'
import type {ConversationId} from '../platform/id-grammar.js'
import {readMetadataOf} from './conversation.js'
import type {Copy} from './conversation-roots.js'
import {countEvents, largeStreamBytes} from './events-file.js'
import {checkEvents} from './events-text.js'
import {type LookedFile, lookedAt, type Remembered} from './listing-memory.js'
import type {SightedCopy} from './listing-sight.js'
import {localMetadataName, noLocalFacts, readLocalFacts} from './local-metadata.js'
import {type Located, unitCopy, weigh} from './located.js'
import {parseMetadata} from './metadata.js'
import {chooseMetadata} from './units.js'

/** What was read of a conversation, and the stamps of the files that it depends on: older than what was read. */
export type ReadConversation = {
  readonly read: Remembered
  readonly looked: readonly LookedFile[]
  readonly archived: boolean
}

/**
 * Reads what a listing shows of a conversation.
 * @throws JpError as `readConversation`.
 */
export const readForListing = (id: ConversationId, sighted: readonly SightedCopy[]): ReadConversation => {
  const weighed = (): Located =>
    weigh(
      id,
      sighted.map(({copy}) => copy),
    )
  const {copy} = chooseMetadata(sighted) ?? unitCopy(weighed(), 'metadata')
  const file = readMetadataOf(copy)
  const metadata = parseMetadata(file.text, file.path)
  const own = sighted.find((seen) => seen.copy.root.place === 'silo')
  const facts = own?.stamps[localMetadataName] === undefined ? noLocalFacts : readLocalFacts(own.copy.directory)
  const {looked, ...stream} = countOneStream(sighted) ?? countCompeting(weighed(), sighted)
  return {read: {metadata, ...stream, ...facts}, looked, archived: copy.archived}
}

type Counted = Pick<Remembered, 'eventsCount' | 'isOneStream'> & Pick<ReadConversation, 'looked'>

/**
 * Where all copies hold the same stream, or there is one alone: which of them counts need not be known. Undefined when they
 * may differ. A large stream counts as different from any other: comparing costs more than a look at one file more.
 */
const countOneStream = (sighted: readonly SightedCopy[]): Counted | undefined => {
  const [first, ...others] = sighted
  const size = first?.stamps['events.json']?.size
  if (first === undefined || size === undefined) return undefined
  const path = eventsPath(first.copy)
  const one = {isOneStream: true, looked: lookedAt(sighted, true)}
  if (others.length === 0) return {eventsCount: countEvents(path, size), ...one}
  if (size >= largeStreamBytes || others.some(({stamps}) => stamps['events.json']?.size !== size)) return undefined
  const bytes = readBytes(path, {noFollow: true})
  const areSame = others.every((other) => readBytes(eventsPath(other.copy), {noFollow: true}).equals(bytes))
  return areSame ? {eventsCount: checkEvents(bytes, path).length, ...one} : undefined
}

/** Where the times of the copies decide (W17). */
const countCompeting = (located: Located, sighted: readonly SightedCopy[]): Counted => {
  const {copy, stamps} = unitCopy(located, 'stream')
  const looked = lookedAt(
    located.copies.map((each, place) => ({
      copy: each.copy,
      stamps: {...each.stamps, [localMetadataName]: sighted[place]?.stamps[localMetadataName]},
    })),
    false,
  )
  return {isOneStream: false, eventsCount: countEvents(eventsPath(copy), stamps['events.json']?.size ?? 0), looked}
}

const eventsPath = ({directory}: Copy): string => `${directory}${sep}events.json`
