// One fix: exact percentiles over an array that is dropped after use, no histograms.

import { ExactSummary } from './lib/exact-summary.js'
import { run } from './lib/service.js'
import { spreadMeasurement } from './lib/spread-measurement.js'
import { toDate } from './lib/time.js'

await run({
  toMeasurement: record => spreadMeasurement(record, toDate),
  Summary: ExactSummary
})
