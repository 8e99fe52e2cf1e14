// The continuous percentile as a formula over a sorted array, to check libraries against.

/** The value at rank (n - 1) * p / 100, counted from 0, interpolated between its neighbours. */
export function continuousPercentile(sorted, p) {
  const rank = ((sorted.length - 1) * p) / 100
  const below = Math.floor(rank)
  const value = sorted[below]
  return rank === below ? value : value + (rank - below) * (sorted[below + 1] - value)
}

/** Several percentiles of a sorted array, by name. */
export function percentilesOf(sorted, percentiles) {
  return Object.fromEntries(percentiles.map(p => [`p${p}`, continuousPercentile(sorted, p)]))
}
