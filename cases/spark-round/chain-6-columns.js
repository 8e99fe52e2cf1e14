// Exact percentiles; times as milliseconds after the round's first; records as
// columns: typed arrays, and a dictionary for each text. The columns take the
// place of the kept class instances and of the interned strings.

import { ExactSummary } from './lib/exact-summary.js'
import { Measurement } from './lib/measurement.js'
import { MeasurementColumns } from './lib/measurement-columns.js'
import { run } from './lib/service.js'
import { RoundClock } from './lib/time.js'

const clock = new RoundClock()
const measurements = new MeasurementColumns()

await run({
  toMeasurement: record => new Measurement(record, clock.toOffset),
  measurements,
  Summary: ExactSummary,
  onClose: () => measurements.seal()
})
