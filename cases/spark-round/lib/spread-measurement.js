import { retrievalResult } from './result.js'
import { assessFraud } from './validate.js'

/** A measurement as a plain object: all the record has, its times read, and two fields more. */
export function spreadMeasurement(record, toTime) {
  return {
    ...record,
    finished_at: toTime(record.finished_at),
    start_at: toTime(record.start_at),
    first_byte_at: toTime(record.first_byte_at),
    end_at: toTime(record.end_at),
    fraudAssessment: assessFraud(record),
    retrievalResult: retrievalResult(record)
  }
}
