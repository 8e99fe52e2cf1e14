import { retrievalResult } from './result.js'
import { assessFraud } from './validate.js'

/** A measurement as a class instance: the constructor gives all of them one shape. */
export class Measurement {
  constructor(record, toTime) {
    this.id = record.id
    this.spark_version = record.spark_version
    this.zinnia_version = record.zinnia_version
    this.participant_address = record.participant_address
    this.finished_at = toTime(record.finished_at)
    this.timeout = record.timeout
    this.start_at = toTime(record.start_at)
    this.status_code = record.status_code
    this.first_byte_at = toTime(record.first_byte_at)
    this.end_at = toTime(record.end_at)
    this.byte_length = record.byte_length
    this.attestation = record.attestation
    this.inet_group = record.inet_group
    this.car_too_large = record.car_too_large
    this.cid = record.cid
    this.provider_address = record.provider_address
    this.protocol = record.protocol
    this.fraudAssessment = assessFraud(record)
    this.retrievalResult = retrievalResult(record)
  }
}
