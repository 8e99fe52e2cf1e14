import { reportMemory } from './memory.js'
import { readRecords } from './records.js'
import { Round } from './round.js'
import { invalidField } from './validate.js'

/** Evaluates rounds. The last one stays in memory, as what the service answers questions from. */
class RoundService {
  round = null

  async evaluate(records, { toMeasurement, Summary, measurements, onClose }) {
    this.round = new Round({ Summary, measurements })
    for await (const record of records) {
      const field = invalidField(record)
      if (field === null) this.round.add(toMeasurement(record))
      else this.round.reject(field)
    }
    onClose?.()
    this.round.close()
  }

  stop() {
    if (process.env.SPARK_MEMORY === '1') reportMemory()
  }
}

const service = new RoundService()
process.on('exit', () => service.stop())

/**
 * Reads the round named on the command line (or stdin), evaluates it and prints its statistics.
 *
 * @param {object} variant
 * @param {(record: object) => object} variant.toMeasurement makes what is kept of a well-formed record
 * @param {Function} variant.Summary how percentiles are found
 * @param {object} [variant.measurements] where measurements are kept; an array if not given
 * @param {() => void} [variant.onClose] called when all measurements of the round are in
 */
export async function run(variant) {
  await service.evaluate(readRecords(process.argv[2]), variant)
  console.log(JSON.stringify(service.round.report(), null, 2))
}
