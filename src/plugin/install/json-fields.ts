/** A JSON object of unknown fields. */
export type Fields = Readonly<Record<string, unknown>>

/** True for a JSON object. */
export const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The object in a field; an empty one when there is none. */
export const recordIn = (fields: Fields, key: string): Fields => {
  const value = Object.hasOwn(fields, key) ? fields[key] : undefined
  return isRecord(value) ? value : {}
}

/** The text in a field that is not blank, or undefined. */
export const textIn = (fields: Fields, key: string): string | undefined => {
  const value = Object.hasOwn(fields, key) ? fields[key] : undefined
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}
