import percentile from 'just-percentile'
import { PERCENTILES } from './percentiles.js'

/** Exact percentiles, interpolated between neighbours. The values are needed only while they are computed. */
export class ExactSummary {
  constructor(values) {
    // A copy: the percentile function sorts the array it is given.
    const sorted = Array.from(values)
    this.count = sorted.length
    this.percentiles = {}
    if (this.count === 0) return
    for (const p of PERCENTILES) {
      this.percentiles[`p${p}`] = withoutFloatNoise(percentile(sorted, p / 100))
    }
  }

  toJSON() {
    return { count: this.count, ...this.percentiles }
  }
}

// The values are whole, and the interpolation's factors have few decimals: what
// stands behind the sixth is rounding (5.900000000000004 for 5.9).
function withoutFloatNoise(value) {
  return Math.round(value * 1e6) / 1e6
}
