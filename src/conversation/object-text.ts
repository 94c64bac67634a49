/** One member of a JSON object's text: where it begins and ends, and its value. Offsets are UTF-16 code units. */
type Member = {readonly key: string; readonly start: number; readonly valueStart: number; readonly end: number}

/**
 * Sets or removes one key in the text of a JSON object, and leaves every other byte as it is: unknown keys, their order
 * and their spelling stay (W18, S21).
 * @param text a JSON object that has been parsed.
 * @param value undefined removes the key.
 * @param order keys of which a new one is put behind the last that precedes it here; at the end when it is not named.
 */
export const withMember = (text: string, key: string, value: unknown, order: readonly string[] = []): string => {
  const members = membersOf(text)
  const own = members.findLast((member) => member.key === key)
  if (value === undefined) return own === undefined ? text : withoutMember(text, members, own)
  return withMemberText(text, key, JSON.stringify(value, undefined, 2).replaceAll('\n', '\n  '), order)
}

/** As {@link withMember}, with the value as JSON text that goes in as it is. */
export const withMemberText = (text: string, key: string, written: string, order: readonly string[] = []): string => {
  const members = membersOf(text)
  const own = members.findLast((member) => member.key === key)
  if (own !== undefined) return text.slice(0, own.valueStart) + written + text.slice(own.end)
  const line = `${JSON.stringify(key)}: ${written}`
  const rank = order.indexOf(key)
  const before = rank === -1 ? members.at(-1) : members.findLast((member) => isBefore(order, member.key, rank))
  if (before !== undefined) return `${text.slice(0, before.end)},\n  ${line}${text.slice(before.end)}`
  const first = members[0]
  if (first !== undefined) return `${text.slice(0, first.start)}${line},\n  ${text.slice(first.start)}`
  return text.replace(/\{\s*\}/, () => `{\n  ${line}\n}`)
}

/** The text of one key's value; undefined when the object has no such key. */
export const memberText = (text: string, key: string): string | undefined => {
  const member = membersOf(text).findLast((candidate) => candidate.key === key)
  return member === undefined ? undefined : text.slice(member.valueStart, member.end)
}

const isBefore = (order: readonly string[], key: string, rank: number): boolean => {
  const own = order.indexOf(key)
  return own !== -1 && own < rank
}

/** The member goes with the comma that parts it from its neighbour; the neighbours keep their own white space. */
const withoutMember = (text: string, members: readonly Member[], member: Member): string => {
  const index = members.indexOf(member)
  const next = members[index + 1]
  const previous = members[index - 1]
  if (next !== undefined) return text.slice(0, member.start) + text.slice(next.start)
  if (previous !== undefined) return text.slice(0, previous.end) + text.slice(member.end)
  return text.replace(/\{[\s\S]*\}/, () => '{}')
}

const membersOf = (text: string): readonly Member[] => {
  const members: Member[] = []
  let at = text.indexOf('{') + 1
  for (;;) {
    at = skipSpace(text, at)
    if (text[at] === ',') at = skipSpace(text, at + 1)
    if (at >= text.length || text[at] === '}') return members
    const start = at
    at = endOfString(text, at)
    const key: unknown = JSON.parse(text.slice(start, at))
    const valueStart = skipSpace(text, skipSpace(text, at) + 1)
    at = endOfValue(text, valueStart)
    members.push({key: String(key), start, valueStart, end: at})
  }
}

const skipSpace = (text: string, from: number): number => {
  let at = from
  while (/\s/.test(text[at] ?? '')) at += 1
  return at
}

const endOfString = (text: string, from: number): number => {
  let at = from + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at + 1
}

const endOfValue = (text: string, from: number): number => {
  let depth = 0
  for (let at = from; at < text.length; ) {
    const char = text[at] ?? ''
    if (char === '"') at = endOfString(text, at)
    else if (depth === 0 && /[,}\]\s]/.test(char)) return at
    else {
      if (char === '{' || char === '[') depth += 1
      if (char === '}' || char === ']') depth -= 1
      at += 1
    }
    if (depth === 0 && /["}\]]/.test(text[at - 1] ?? '') && '"{['.includes(text[from] ?? '')) return at
  }
  return text.length
}
