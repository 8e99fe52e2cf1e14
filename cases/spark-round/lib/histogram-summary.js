import { build } from 'hdr-histogram-js'
import { PERCENTILES } from './percentiles.js'

/** No retrieval can be larger than the largest sector a provider can seal. */
const HIGHEST_VALUE = 64 * 1024 ** 3

/** Percentiles from a histogram, which stays for whoever asks for others. */
export class HistogramSummary {
  constructor(values) {
    this.histogram = build({
      bitBucketSize: 64,
      lowestDiscernibleValue: 1,
      highestTrackableValue: HIGHEST_VALUE,
      numberOfSignificantValueDigits: 5
    })
    for (const value of values) this.histogram.recordValue(value)
  }

  get count() {
    return this.histogram.totalCount
  }

  toJSON() {
    const { count } = this
    if (count === 0) return { count }
    const percentiles = PERCENTILES.map(p => [`p${p}`, this.histogram.getValueAtPercentile(p)])
    return { count, ...Object.fromEntries(percentiles) }
  }
}
