// What a measurement was kept as, at each of the original's steps. Each step has the ones before it.

import { retrievalResult } from '../lib/result.js'

/** All the record has but its participant's address, which has another name, and one field more. */
export function spread({ participant_address, ...rest }) {
  return { ...rest, participantAddress: participant_address, retrievalResult: retrievalResult(rest) }
}

/** A class, and only the thirteen fields that are used: that step left out six. */
export class Measurement {
  constructor(record, { time = text => text, text = text => text } = {}) {
    this.participantAddress = text(record.participant_address)
    this.retrievalResult = text(retrievalResult(record))
    this.cid = text(record.cid)
    this.spark_version = text(record.spark_version)
    this.fraudAssessment = null
    this.inet_group = text(record.inet_group)
    this.finished_at = time(record.finished_at)
    this.provider_address = text(record.provider_address)
    this.protocol = text(record.protocol)
    this.byte_length = record.byte_length
    this.start_at = time(record.start_at)
    this.first_byte_at = time(record.first_byte_at)
    this.end_at = time(record.end_at)
  }
}

/** A class with all nineteen fields: what the class alone does, without the fields left out. */
export class WholeMeasurement extends Measurement {
  constructor(record) {
    super(record)
    this.id = record.id
    this.zinnia_version = record.zinnia_version
    this.timeout = record.timeout
    this.status_code = record.status_code
    this.attestation = record.attestation
    this.car_too_large = record.car_too_large
  }
}

/** Milliseconds since 1970, or undefined: ISO texts before. There never was a Date that stayed. */
export function milliseconds(text) {
  return text === null ? undefined : Date.parse(text)
}

/** A look-up that gives the first text equal to this one, and passes null and undefined through. */
export function textsOfARound() {
  const texts = new Map()
  return text => {
    if (text === null || text === undefined) return text
    const known = texts.get(text)
    if (known !== undefined) return known
    texts.set(text, text)
    return text
  }
}
