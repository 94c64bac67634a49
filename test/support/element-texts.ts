/**
 * The texts of the elements of a JSON array, without the space around them: written apart from the product's own
 * scanner, so that one can prove the other.
 */
export const elementTexts = (text: string): string[] => {
  const found: string[] = []
  let depth = 0
  let start = -1
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (inString) {
      if (character === '\\') at += 1
      else if (character === '"') inString = false
      continue
    }
    if (character === '"') inString = true
    if (character === '{' || character === '[') {
      depth += 1
      if (depth === 2) start = at
    }
    if (character === '}' || character === ']') {
      depth -= 1
      if (depth === 1) found.push(text.slice(start, at + 1))
    }
  }
  return found
}
