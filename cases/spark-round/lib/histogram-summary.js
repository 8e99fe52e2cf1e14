import { build } from 'hdr-histogram-js'
import { PERCENTILES } from './percentiles.js'

/** Percentiles from a histogram, which stays for whoever asks for others. */
export class HistogramSummary {
  constructor(values, { histogram }) {
    this.histogram = build(histogram)
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
