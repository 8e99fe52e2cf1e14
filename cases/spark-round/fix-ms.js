// One fix: times are numbers, in milliseconds since 1970.

import { HistogramSummary } from './lib/histogram-summary.js'
import { run } from './lib/service.js'
import { spreadMeasurement } from './lib/spread-measurement.js'
import { toMs } from './lib/time.js'

await run({
  toMeasurement: record => spreadMeasurement(record, toMs),
  Summary: HistogramSummary
})
