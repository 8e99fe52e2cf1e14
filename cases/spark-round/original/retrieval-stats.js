// Percentiles of one set of measurements, by the two ways of the original.

import hdr from 'hdr-histogram-js'
import { percentilesOf } from '../lib/percentile.js'

/** The settings the original gave: no range, which then starts at 1 to 2 and grows. */
export const SETTINGS = { numberOfSignificantValueDigits: 5, bitBucketSize: 'packed', useWebAssembly: true }
export const PERCENTILES = [10, 50, 90, 95]

const isOk = measurement => measurement.retrievalResult === 'OK'
const METRICS = {
  // That step recorded no time to first byte: it asked for the status, which its class did not keep.
  duration: measurement => isOk(measurement) && ms(measurement.end_at) - ms(measurement.start_at),
  size: measurement => measurement.byte_length
}

function ms(time) {
  return typeof time === 'number' ? time : Date.parse(time)
}

/** Histograms for each metric, destroyed after use, but not after an error, as of then. */
export async function histogramStats(measurements) {
  await hdr.initWebAssembly()
  const histograms = Object.fromEntries(Object.keys(METRICS).map(metric => [metric, hdr.build(SETTINGS)]))
  for (const measurement of measurements) {
    for (const [metric, valueOf] of Object.entries(METRICS)) {
      const value = valueOf(measurement)
      if (value !== false && value >= 0) histograms[metric].recordValue(value)
    }
  }
  const stats = {}
  for (const [metric, histogram] of Object.entries(histograms)) {
    stats[metric] = Object.fromEntries(PERCENTILES.map(p => [`p${p}`, histogram.getValueAtPercentile(p)]))
    histogram.destroy()
  }
  return stats
}

/** Arrays of all values, sorted. */
export function arrayStats(measurements) {
  const stats = {}
  for (const [metric, valueOf] of Object.entries(METRICS)) {
    const values = []
    for (const measurement of measurements) {
      const value = valueOf(measurement)
      if (value !== false && value >= 0) values.push(value)
    }
    values.sort((a, b) => a - b)
    stats[metric] = percentilesOf(values, PERCENTILES)
  }
  return stats
}
