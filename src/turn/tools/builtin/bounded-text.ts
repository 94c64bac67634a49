/** Text for a model, at most this long; what is left out is said. Unit: UTF-16 code units. */
export const bounded = (text: string, maxUnits = 200_000): string => {
  if (text.length <= maxUnits) return text
  const end = isHighSurrogate(text, maxUnits - 1) ? maxUnits - 1 : maxUnits
  return `${text.slice(0, end)}\n[… ${text.length - end} characters left out …]`
}

const isHighSurrogate = (text: string, at: number): boolean => /[\ud800-\udbff]/.test(text[at] ?? '')
