// Two questions are asked of every record that comes in: is it well formed (if
// not, it is rejected), and is it to be believed (if not, it is kept, but does
// not count in the statistics).

const PROTOCOLS = new Set(['http', 'bitswap', 'graphsync'])
const ADDRESS = /^0x[0-9a-f]{40}$/
const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

const CHECKS = {
  id: isCount,
  spark_version: isText,
  zinnia_version: isText,
  participant_address: value => isText(value) && ADDRESS.test(value),
  finished_at: isTime,
  timeout: isBoolean,
  start_at: isTime,
  status_code: value => value === null || isCount(value),
  first_byte_at: isTimeOrNull,
  end_at: isTimeOrNull,
  byte_length: isCount,
  attestation: value => value === null || isText(value),
  inet_group: isText,
  car_too_large: isBoolean,
  cid: isText,
  provider_address: isText,
  protocol: value => PROTOCOLS.has(value)
}
const FIELDS = Object.keys(CHECKS)

/** The name of the first field that is not well formed, or null. */
export function invalidField(record) {
  for (const field of FIELDS) {
    if (!CHECKS[field](record[field])) return field
  }
  return null
}

/** Throws if a field is not well formed; the error names it in `field`. */
export function assertWellFormed(record) {
  const field = invalidField(record)
  if (field !== null) throw Object.assign(new TypeError(`${field} is not well formed`), { field })
}

/** 'OK', or why a well-formed record is not to be believed. */
export function assessFraud(record) {
  if (record.spark_version.startsWith('0.')) return 'OUTDATED_VERSION'
  // ISO timestamps in UTC compare as text.
  if (record.start_at > record.finished_at) return 'IMPOSSIBLE_TIMES'
  if (record.end_at !== null && record.end_at < record.start_at) return 'IMPOSSIBLE_TIMES'
  return 'OK'
}

function isText(value) {
  return typeof value === 'string' && value.length > 0
}

function isCount(value) {
  return Number.isSafeInteger(value) && value >= 0
}

function isBoolean(value) {
  return typeof value === 'boolean'
}

function isTime(value) {
  // A thirteenth month has the right form, but is no time.
  return isText(value) && ISO_TIME.test(value) && !Number.isNaN(Date.parse(value))
}

function isTimeOrNull(value) {
  return value === null || isTime(value)
}
