// One fix: equal texts are one string.

import { HistogramSummary } from './lib/histogram-summary.js'
import { Interner } from './lib/intern.js'
import { run } from './lib/service.js'
import { spreadMeasurement } from './lib/spread-measurement.js'
import { toDate } from './lib/time.js'

const strings = new Interner()

await run({
  toMeasurement: record => spreadMeasurement(strings.internFields(record), toDate),
  Summary: HistogramSummary,
  onClose: () => strings.clear()
})
