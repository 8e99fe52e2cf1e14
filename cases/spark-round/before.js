// Measurements as plain objects spread from the parsed records, strings as
// parsed, times as Dates, percentiles from histograms.

import { HistogramSummary } from './lib/histogram-summary.js'
import { run } from './lib/service.js'
import { spreadMeasurement } from './lib/spread-measurement.js'
import { toDate } from './lib/time.js'

await run({
  toMeasurement: record => spreadMeasurement(record, toDate),
  Summary: HistogramSummary
})
