import {randomUUID} from 'node:crypto'
import {join} from 'node:path'
import type {SessionId} from '../conversation/session-id.js'
import {JpError} from '../errors/jp-error.js'
import {rfc3339} from '../platform/clock.js'
import {createStateFile} from './state-file.js'

/** A group of sessions, as the wire has it. */
export type SessionGroup = {
  readonly id: string
  readonly name: string
  readonly color: string
  readonly order: number
  /** RFC 3339, UTC. */
  readonly createdAt: string
  readonly updatedAt: string
}

/** Where a session stands. */
export type Placement = {readonly groupId: string | null; readonly color: string | null}

/** How the user has put the sessions of the primary workspace in order. Pins are not here: they belong to conversations. */
export interface Organization {
  groups(): readonly SessionGroup[]
  /** Where sessions stand that have been placed. */
  placements(): Readonly<Record<string, Placement>>
  /** @throws JpError `group_not_found`, as {@link changeGroup} and {@link removeGroup}; `file_unwritable`. */
  place(id: SessionId, change: Partial<Placement>): Placement
  addGroup(input: {readonly name: string; readonly color: string}, nowMs: number): SessionGroup
  changeGroup(id: string, change: Partial<Pick<SessionGroup, 'name' | 'color' | 'order'>>, nowMs: number): SessionGroup
  /** Its sessions are in no group then. */
  removeGroup(id: string): void
}

/** The colours that clients offer. */
export const presetColors = ['red', 'orange', 'yellow', 'green', 'blue', 'purple'] as const

type Content = {readonly groups: readonly SessionGroup[]; readonly placements: Readonly<Record<string, Placement>>}

/** Where a session stands that has not been placed. */
export const nowhere: Placement = {groupId: null, color: null}

/** Creates the organization of a workspace, in the user's data directory. Writes nothing yet. */
export const createOrganization = (dataDirectory: string, workspaceId: string): Organization => {
  const file = createStateFile(join(dataDirectory, 'serve', 'organization', `${workspaceId}.json`))
  const read = (): Content => contentOf(file.read())
  const write = (content: Content): void => file.write(content)
  const groupIn = (content: Content, id: string): SessionGroup => {
    const group = content.groups.find((candidate) => candidate.id === id)
    if (group === undefined) throw groupNotFound(id)
    return group
  }
  return {
    groups: () => read().groups,
    placements: () => read().placements,
    place(id, change) {
      const content = read()
      if (typeof change.groupId === 'string') groupIn(content, change.groupId)
      const placement = {...(content.placements[id] ?? nowhere), ...change}
      write({...content, placements: {...content.placements, [id]: placement}})
      return placement
    },
    addGroup(input, nowMs) {
      const content = read()
      const at = rfc3339(nowMs)
      const group = {id: randomUUID(), ...input, order: content.groups.length, createdAt: at, updatedAt: at}
      write({...content, groups: [...content.groups, group]})
      return group
    },
    changeGroup(id, change, nowMs) {
      const content = read()
      const group = {...groupIn(content, id), ...change, updatedAt: rfc3339(nowMs)}
      write({...content, groups: content.groups.map((other) => (other.id === id ? group : other))})
      return group
    },
    removeGroup(id) {
      const content = read()
      groupIn(content, id)
      const placements = Object.fromEntries(
        Object.entries(content.placements).map(([session, placement]) => [
          session,
          placement.groupId === id ? {...placement, groupId: null} : placement,
        ]),
      )
      write({groups: content.groups.filter((group) => group.id !== id), placements})
    },
  }
}

const groupNotFound = (groupId: string): JpError =>
  new JpError('group_not_found', 'There is no such group.', {details: {groupId}})

/** What somebody else wrote into the file is left out, row by row. */
const contentOf = ({groups, placements}: Readonly<Record<string, unknown>>): Content => ({
  groups: Array.isArray(groups) ? groups.filter(isGroup) : [],
  placements: Object.fromEntries(Object.entries(fieldsOf(placements)).filter(isPlaced)),
})

const isGroup = (value: unknown): value is SessionGroup => {
  const {id, name, color, order, createdAt, updatedAt} = fieldsOf(value)
  return (
    [id, name, color, createdAt, updatedAt].every((field) => typeof field === 'string') && typeof order === 'number'
  )
}

const isPlaced = (entry: [string, unknown]): entry is [string, Placement] => {
  const {groupId, color} = fieldsOf(entry[1])
  return [groupId, color].every((field) => field === null || typeof field === 'string')
}

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? {...value} : {}
