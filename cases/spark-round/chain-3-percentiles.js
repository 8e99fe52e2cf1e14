// Class instances; equal texts are one string; exact percentiles.

import { ExactSummary } from './lib/exact-summary.js'
import { Interner } from './lib/intern.js'
import { Measurement } from './lib/measurement.js'
import { run } from './lib/service.js'
import { toDate } from './lib/time.js'

const strings = new Interner()

await run({
  toMeasurement: record => new Measurement(strings.internFields(record), toDate),
  Summary: ExactSummary,
  onClose: () => strings.clear()
})
