import { InvalidLog } from './invalid-log.js'
import { reportMemory } from './memory.js'
import { readRecords } from './records.js'
import { Round } from './round.js'
import { shapeOf } from './shapes.js'
import { assertWellFormed } from './validate.js'

/** Evaluates rounds. The last one stays in memory, as what the service answers questions from. */
class RoundService {
  round = null

  async evaluate(records, shape, { toMeasurement, Summary, measurements, onClose }) {
    this.round = new Round({ Summary, shape, measurements })
    const log = new InvalidLog()
    for await (const record of records) {
      const measurement = this.#measurementOf(record, toMeasurement, log)
      if (measurement !== null) this.round.add(measurement)
    }
    log.close()
    onClose?.()
    this.round.close()
  }

  /** What is kept of a record, or null if it is rejected. */
  #measurementOf(record, toMeasurement, log) {
    try {
      assertWellFormed(record)
      return toMeasurement(record)
    } catch (error) {
      log.add(error, record)
      this.round.reject(error.field ?? 'other')
      return null
    }
  }

  stop() {
    if (process.env.SPARK_MEMORY === '1') reportMemory()
  }
}

const service = new RoundService()
process.on('exit', () => service.stop())

/**
 * Reads the round named on the command line (or stdin), evaluates it and prints its statistics.
 * `--shape` after it names the shape.
 *
 * @param {object} variant
 * @param {(record: object) => object} variant.toMeasurement makes what is kept of a well-formed record
 * @param {Function} variant.Summary how percentiles are found
 * @param {object} [variant.measurements] where measurements are kept; an array if not given
 * @param {() => void} [variant.onClose] called when all measurements of the round are in
 */
export async function run(variant) {
  await service.evaluate(readRecords(process.argv[2]), shapeOf(process.argv), variant)
  console.log(JSON.stringify(service.round.report(), null, 2))
}
