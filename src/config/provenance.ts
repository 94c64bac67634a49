import type {Layer} from './layers.js'
import type {KeyPath} from './value.js'

/** Which layer set a value, or added to it. */
export type Origin = {readonly layer: Layer; readonly path: KeyPath}

/** Remembers which layers each value came from. */
export interface Provenance {
  /** To be told of each change that a merge of this layer makes. */
  witness(layer: Layer): (path: KeyPath, change: 'set' | 'added' | 'unset') => void
  /** The layers of the value at a path, or of what set it as a whole; none for a default. */
  originsOf(path: KeyPath): readonly Origin[]
  /** Forgets everything outside `isKept`. */
  cut(isKept: (path: KeyPath) => boolean): void
}

const keyOf = (path: KeyPath): string => JSON.stringify(path)

/** Creates an empty memory. */
export const createProvenance = (): Provenance => {
  const origins = new Map<string, {readonly path: KeyPath; readonly from: readonly Origin[]}>()
  const forgetBelow = (path: KeyPath): void => {
    const prefix = `${keyOf(path).slice(0, -1)}${path.length === 0 ? '' : ','}`
    for (const key of origins.keys()) if (key.startsWith(prefix)) origins.delete(key)
  }
  return {
    witness: (layer) => (path, change) => {
      const key = keyOf(path)
      const before = change === 'added' ? (origins.get(key)?.from ?? []) : []
      if (change !== 'added') forgetBelow(path)
      if (change === 'unset') origins.delete(key)
      else origins.set(key, {path, from: [...before, {layer, path}]})
    },
    originsOf(path) {
      for (let length = path.length; length >= 0; length--) {
        const found = origins.get(keyOf(path.slice(0, length)))
        if (found !== undefined) return found.from
      }
      return []
    },
    cut(isKept) {
      for (const [key, {path}] of origins) if (!isKept(path)) origins.delete(key)
    },
  }
}
