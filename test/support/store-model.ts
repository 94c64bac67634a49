/**
 * The rules of facts 2.7 in small: three places hold copies, each copy has two units with a time, and a checkout sees its
 * own place and the user-local one. Times are logical seconds.
 */
export type PlaceName = 'silo' | 'A' | 'B'
export type CheckoutName = 'A' | 'B'
export type Meta = {readonly title: string | null; readonly archivedAt: number | null; readonly usedAt: number}
export type ModelCopy = {
  archived: boolean
  meta: Meta
  metaTime: number
  contents: readonly string[]
  streamTime: number
}
export type Outcome = string

/** One conversation as a checkout sees it. */
export type Seen = {
  readonly id: number
  readonly title: string | null
  readonly archived: boolean
  readonly presence: 'user-local' | 'projected' | 'workspace'
  readonly contents: readonly string[]
}

export type StoreModel = {
  readonly places: Readonly<Record<PlaceName, Map<number, ModelCopy>>>
  view(at: CheckoutName): readonly Seen[]
  seen(at: CheckoutName, id: number): Seen | undefined
  create(
    at: CheckoutName,
    what: {deciseconds: number; title: string; content: string; local: boolean},
    time: number,
  ): number
  /** A locked write: `change` gets what the two units are read as. Gives `ok` or an error code. */
  write(at: CheckoutName, id: number, write: Write, time: number): Outcome
  remove(at: CheckoutName, id: number): Outcome
  load(at: CheckoutName): void
}

export type Write = {
  readonly mayBeArchived?: boolean
  readonly meta?: (meta: Meta) => Meta
  readonly add?: string
  readonly archived?: boolean
  readonly local?: boolean
}

const newer = (
  silo: ModelCopy | undefined,
  own: ModelCopy | undefined,
  time: (copy: ModelCopy) => number,
): ModelCopy | undefined => {
  if (silo === undefined || own === undefined) return silo ?? own
  return time(own) > time(silo) ? own : silo
}

const same = (left: unknown, right: unknown): boolean => JSON.stringify(left) === JSON.stringify(right)

export const createStoreModel = (): StoreModel => {
  const places: Record<PlaceName, Map<number, ModelCopy>> = {silo: new Map(), A: new Map(), B: new Map()}

  const seen = (at: CheckoutName, id: number): Seen | undefined => {
    const [silo, own] = [places.silo.get(id), places[at].get(id)]
    const meta = newer(silo, own, (copy) => copy.metaTime)
    const stream = newer(silo, own, (copy) => copy.streamTime)
    if (meta === undefined || stream === undefined) return undefined
    const presence = silo === undefined ? 'workspace' : own === undefined ? 'user-local' : 'projected'
    return {id, title: meta.meta.title, archived: meta.archived, presence, contents: stream.contents}
  }

  const importOne = (at: CheckoutName, id: number): void => {
    const own = places[at].get(id)
    if (own !== undefined && !places.silo.has(id)) places.silo.set(id, {...own})
  }

  const put = (
    place: PlaceName,
    id: number,
    next: {meta: Meta; contents: readonly string[]; archived: boolean},
    time: number,
  ): void => {
    const copy = places[place].get(id)
    if (copy === undefined) {
      places[place].set(id, {...next, metaTime: time, streamTime: time})
      return
    }
    if (!same(copy.meta, next.meta)) copy.metaTime = time
    if (!same(copy.contents, next.contents)) copy.streamTime = time
    Object.assign(copy, next)
  }

  return {
    places,
    seen,
    view(at) {
      const ids = [...new Set([...places.silo.keys(), ...places[at].keys()])].sort((left, right) => left - right)
      const all = ids.flatMap((id) => seen(at, id) ?? [])
      return [...all.filter(({archived}) => !archived), ...all.filter(({archived}) => archived)]
    },
    create(at, {deciseconds, title, content, local}, time) {
      let id = deciseconds
      while (places.silo.has(id) || places[at].has(id)) id += 1
      const copy = {archived: false, meta: {title, archivedAt: null, usedAt: deciseconds * 100}, contents: [content]}
      put('silo', id, copy, time + 1)
      if (!local) put(at, id, copy, time + 2)
      return id
    },
    write(at, id, write, time) {
      const now = seen(at, id)
      if (now === undefined) return 'conversation_not_found'
      if (now.archived && write.mayBeArchived !== true) return 'conversation_archived'
      importOne(at, id)
      const own = places[at].get(id)
      const meta = newer(places.silo.get(id), own, (copy) => copy.metaTime)?.meta
      if (meta === undefined) return 'impossible'
      const next = {
        meta: write.meta?.(meta) ?? meta,
        contents: write.add === undefined ? now.contents : [...now.contents, write.add],
        archived: write.archived ?? now.archived,
      }
      put('silo', id, next, time + 1)
      if (own !== undefined) put(at, id, next, time + 2)
      if (write.local === true) places[at].delete(id)
      if (write.local === false && own === undefined) put(at, id, next, time + 2)
      return 'ok'
    },
    remove(at, id) {
      if (seen(at, id) === undefined) return 'conversation_not_found'
      places.silo.delete(id)
      places[at].delete(id)
      return 'ok'
    },
    load(at) {
      for (const id of places[at].keys()) importOne(at, id)
    },
  }
}
