// One of the original's steps over a round of the published shape:
//
//   node --expose-gc original/step.js spread|whole-class|class|times|texts|arrays ROUND
//
// Each step stands on the ones before it (but `whole-class`, which only tells the class from the
// fields it left out). Prints the memory as one line of JSON: as the program ends, which is what
// the original printed, and after garbage is collected.

import { createReadStream } from 'node:fs'
import { Measurement, milliseconds, spread, textsOfARound, WholeMeasurement } from './measurements.js'
import { arrayStats, histogramStats } from './retrieval-stats.js'

/** Measurements came in files of this many, each parsed and mapped as a whole. */
const BATCH = 25_000

const STEPS = {
  spread: () => spread,
  'whole-class': () => record => new WholeMeasurement(record),
  class: () => record => new Measurement(record),
  times: () => record => new Measurement(record, { time: milliseconds }),
  texts: () => {
    const text = textsOfARound()
    return record => new Measurement(record, { time: milliseconds, text })
  }
}

const [step, path] = process.argv.slice(2)
const toMeasurement = (STEPS[step] ?? STEPS.texts)()
const hasHistograms = step !== 'arrays'

const measurements = []
for await (const batch of batches(path)) measurements.push(...batch.map(toMeasurement))
const taken = new Set()
for (const measurement of measurements) {
  // One measurement a network and task counts.
  const task = `${measurement.inet_group}::${measurement.cid}::${measurement.provider_address}`
  measurement.fraudAssessment = taken.has(task) ? 'DUP_INET_GROUP' : 'OK'
  taken.add(task)
}
taken.clear()
const beforeStats = process.memoryUsage()

const errors = []
for (const set of [measurements.filter(({ fraudAssessment }) => fraudAssessment === 'OK'), measurements]) {
  try {
    await (hasHistograms ? histogramStats : arrayStats)(set)
  } catch (error) {
    errors.push(error.message)
  }
}
const atEnd = process.memoryUsage()
for (let i = 0; i < 2; i++) globalThis.gc()
const collected = process.memoryUsage()
console.log(JSON.stringify({ step, measurements: measurements.length, errors, beforeStats, atEnd, collected }))

async function* batches(file) {
  let lines = []
  let rest = ''
  for await (const chunk of createReadStream(file, { encoding: 'latin1' })) {
    const parts = (rest + chunk).split('\n')
    rest = parts.pop()
    for (const part of parts) lines.push(part)
    if (lines.length < BATCH) continue
    yield JSON.parse(`[${lines.join(',')}]`)
    lines = []
  }
  if (lines.length > 0) yield JSON.parse(`[${lines.join(',')}]`)
}
