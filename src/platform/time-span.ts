const units: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
}

/** A span as people write it (`90s`, `2h`, `1d 3h`), or undefined when it is none. Unit: milliseconds. */
export const parseTimeSpan = (text: string): number | undefined => {
  const trimmed = text.trim()
  if (!/^(?:\d+(?:\.\d+)?\s*[smhdw]\s*)+$/.test(trimmed)) return undefined
  return [...trimmed.matchAll(/(\d+(?:\.\d+)?)\s*([smhdw])/g)].reduce(
    (sum, [, amount, unit = '']) => sum + Number(amount) * (units[unit] ?? 0),
    0,
  )
}
