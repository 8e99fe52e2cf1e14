// Class instances; equal texts are one string; exact percentiles; times as
// milliseconds after the round's first, which stay small integers. All fixes but
// the one that changes how the program is written around its data.

import { ExactSummary } from './lib/exact-summary.js'
import { Interner } from './lib/intern.js'
import { Measurement } from './lib/measurement.js'
import { run } from './lib/service.js'
import { RoundClock } from './lib/time.js'

const strings = new Interner()
const clock = new RoundClock()

await run({
  toMeasurement: record => new Measurement(strings.internFields(record), clock.toOffset),
  Summary: ExactSummary,
  onClose: () => strings.clear()
})
