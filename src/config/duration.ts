const units: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
}

/** How long a span of the configuration is (`200ms`, `1m 30s`, `2` for seconds); 0 for what is none. Unit: milliseconds. */
export const durationMs = (text: string): number => {
  if (/^[\d.]+$/.test(text)) return Number(text) * 1000
  let sum = 0
  for (const [, amount, unit = ''] of text.matchAll(/(\d+(?:\.\d+)?)\s*(ns|us|µs|ms|s|m|h|d)/g)) {
    sum += Number(amount) * (units[unit] ?? 0)
  }
  return sum
}
