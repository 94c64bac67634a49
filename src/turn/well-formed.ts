/**
 * The same value with every half of a split character (a lone surrogate) replaced by U+FFFD: what a model or a tool
 * wrote must stay sendable as UTF-8 JSON (FR-26).
 */
export const wellFormed = <Value>(value: Value): Value => repaired(value) as Value

const repaired = (value: unknown): unknown => {
  if (typeof value === 'string') return value.toWellFormed()
  if (Array.isArray(value)) return value.map(repaired)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key.toWellFormed(), repaired(inner)]))
}
