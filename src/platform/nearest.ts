/**
 * The candidate that `word` was probably meant to be: at most a third of its letters away, and the closest; undefined
 * when none is near. Swapped neighbours count as one change.
 */
export const nearest = (word: string, candidates: Iterable<string>): string | undefined => {
  const bound = Math.max(1, Math.floor(word.length / 3))
  let best: {candidate: string; distance: number} | undefined
  for (const candidate of candidates) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase())
    if (distance <= bound && (best === undefined || distance < best.distance)) best = {candidate, distance}
  }
  return best?.candidate
}

const editDistance = (left: string, right: string): number => {
  let previous: number[] = []
  let row = Array.from({length: right.length + 1}, (_, index) => index)
  for (let i = 1; i <= left.length; i++) {
    const next = [i]
    for (let j = 1; j <= right.length; j++) {
      const same = left[i - 1] === right[j - 1]
      let cost = Math.min((next[j - 1] ?? 0) + 1, (row[j] ?? 0) + 1, (row[j - 1] ?? 0) + (same ? 0 : 1))
      const swapped = i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1]
      if (swapped) cost = Math.min(cost, (previous[j - 2] ?? 0) + 1)
      next.push(cost)
    }
    previous = row
    row = next
  }
  return row[right.length] ?? 0
}
