// One fix: measurements are instances of a class. This is also the chain's first step.

import { HistogramSummary } from './lib/histogram-summary.js'
import { Measurement } from './lib/measurement.js'
import { run } from './lib/service.js'
import { toDate } from './lib/time.js'

await run({
  toMeasurement: record => new Measurement(record, toDate),
  Summary: HistogramSummary
})
