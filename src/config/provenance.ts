import type {Layer} from './layers.js'
import type {KeyPath} from './value.js'

/** Which layer set a value, or added to it. */
export type Origin = {readonly layer: Layer}

/** Remembers which layers each value came from. */
export interface Provenance {
  /** To be told of each change that a merge of this layer makes. */
  witness(layer: Layer): (path: KeyPath, change: 'set' | 'added' | 'unset') => void
  /** The layers of the value at a path, or of what set it as a whole; none for a default. */
  originsOf(path: KeyPath): readonly Origin[]
  /** Forgets every value that `isKept` does not know. */
  cut(isKept: (path: KeyPath) => boolean): void
}

type Place = {from: readonly Origin[]; readonly below: Map<string, Place>}

const emptyPlace = (): Place => ({from: [], below: new Map()})

/** Creates an empty memory. */
export const createProvenance = (): Provenance => {
  const top = emptyPlace()
  const placeAt = (path: KeyPath): Place => {
    let place = top
    for (const key of path) {
      const next = place.below.get(key) ?? emptyPlace()
      place.below.set(key, next)
      place = next
    }
    return place
  }
  const prune = (place: Place, path: KeyPath, isKept: (path: KeyPath) => boolean): void => {
    for (const [key, next] of place.below) {
      const at = [...path, key]
      if (isKept(at)) prune(next, at, isKept)
      else place.below.delete(key)
    }
  }
  return {
    witness: (layer) => (path, change) => {
      const place = placeAt(path)
      if (change === 'added') place.from = [...place.from, {layer}]
      else {
        place.from = change === 'set' ? [{layer}] : []
        place.below.clear()
      }
    },
    originsOf(path) {
      let place: Place | undefined = top
      let {from} = top
      for (const key of path) {
        place = place.below.get(key)
        if (place === undefined) break
        if (place.from.length > 0) from = place.from
      }
      return from
    },
    cut: (isKept) => prune(top, [], isKept),
  }
}
