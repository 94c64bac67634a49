import type {Checkout} from '../workspace/checkout.js'
import type {KnownWorkspace} from '../workspace/known-workspaces.js'

/**
 * The live checkouts whose slug, id or path has the text in it, whatever the case; where none has, those that a fuzzy
 * match finds, best first.
 */
export const searchCheckouts = async (known: readonly KnownWorkspace[], text: string): Promise<Checkout[]> => {
  const rows = known.flatMap(({id, slug, live}) => live.map(({path}) => ({id, slug: slug ?? '', path})))
  const word = text.toLowerCase()
  const exact = rows.filter(({id, slug, path}) => [id, slug, path].some((field) => field.toLowerCase().includes(word)))
  const found = exact.length > 0 ? exact : await fuzzy(rows, text)
  return found.map(({id, path}) => ({id, root: path}))
}

/** Below this, fuzzysort finds the letters somewhere in any long path. */
const threshold = 0.6

const fuzzy = async <Row extends {slug: string; path: string}>(rows: readonly Row[], text: string): Promise<Row[]> => {
  const {default: fuzzysort} = await import('fuzzysort')
  return fuzzysort.go(text, [...rows], {keys: ['slug', 'path'], threshold}).map(({obj}) => obj)
}
