// A heap of many records, written as a snapshot: `node v8.mjs RECORDS FILE`.
import v8 from 'node:v8'
import { generateMeasurements } from '../../cases/spark-round/lib/generator.js'
import { spreadMeasurement } from '../../cases/spark-round/lib/spread-measurement.js'

const [, , records, file] = process.argv

class Round {
  measurements = []
}

globalThis.round = new Round()
for (const measurement of generateMeasurements(Number(records))) {
  // As records come from a file: each with texts of its own.
  const read = JSON.parse(JSON.stringify(measurement))
  globalThis.round.measurements.push(spreadMeasurement(read, (text) => text))
}
v8.writeHeapSnapshot(file)
