import type {Field, Leaf, Node} from './outline.js'

/** What a field takes, in words: `one of "ask", "deny"`, `a whole number`, `a list of text`. */
export const expectedAt = (field: Field): string => {
  const {words, types} = alternatives(field)
  const quoted = words.map((word) => `"${word}"`)
  const oneOf = quoted.length < 2 ? quoted : [`one of ${quoted.join(', ')}`]
  const each = [...new Set([...oneOf, ...types])]
  return each.length < 2 ? (each[0] ?? 'any value') : `${each.slice(0, -1).join(', ')} or ${each.at(-1)}`
}

/** The words that a field takes by themselves, and the types that it takes besides. */
type Alternatives = {readonly words: readonly string[]; readonly types: readonly string[]}

const alternatives = (field: Field): Alternatives => {
  const own = ownAlternatives(field)
  const {shorthand} = field
  return shorthand === undefined ? own : joined([own, alternatives(shorthand)])
}

const joined = (all: readonly Alternatives[]): Alternatives => ({
  words: [...new Set(all.flatMap(({words}) => words))],
  types: all.flatMap(({types}) => types),
})

const ownAlternatives = ({node}: Field): Alternatives => {
  if (node.kind === 'choice') return joined(node.options.map(alternatives))
  if (node.kind === 'leaf' && node.leaf.type === 'word') return {words: node.leaf.words, types: []}
  return {words: [], types: [typeOf(node)]}
}

const typeOf = (node: Node): string => {
  if (node.kind === 'table' || node.kind === 'map') return 'a table'
  if (node.kind === 'list') return `a list of ${itemType(node.item)}`
  return node.kind === 'leaf' ? leafType(node.leaf) : 'any value'
}

const leafType = (leaf: Leaf): string => {
  switch (leaf.type) {
    case 'boolean':
      return 'true or false'
    case 'number':
      return numberType(leaf)
    case 'text':
      // The only text with a form of its own is a span of time.
      return leaf.pattern === undefined ? 'text' : 'a time such as "200ms" or "1m 30s"'
    case 'word':
      return leaf.words.join(', ')
  }
}

const itemType = (item: Field): string => {
  const type = expectedAt(item)
  return type === 'a table' ? 'tables' : type.includes(' or ') ? `items, each ${type}` : type
}

const numberType = ({whole, min, max}: Leaf & {type: 'number'}): string => {
  const kind = whole === true ? 'a whole number' : 'a number'
  if (min !== undefined && max !== undefined) return `${kind} from ${min} to ${max}`
  return min === undefined ? kind : `${kind} of at least ${min}`
}
