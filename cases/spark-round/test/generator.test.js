import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import test from 'node:test'
import { generateMeasurements } from '../lib/generator.js'
import { SHAPES } from '../lib/shapes.js'
import { invalidField } from '../lib/validate.js'

const FIELDS = [
  'id',
  'spark_version',
  'zinnia_version',
  'participant_address',
  'finished_at',
  'timeout',
  'start_at',
  'status_code',
  'first_byte_at',
  'end_at',
  'byte_length',
  'attestation',
  'inet_group',
  'car_too_large',
  'cid',
  'provider_address',
  'protocol'
]

// Figures are compared between versions and machines, so the input must never change unnoticed.
const SHA256_OF_1000 = 'cc395f617de2439d12a3b1cdff66bb30645a446730fd64bc65deaac47f33a43a'

test('the same count gives the same bytes', () => {
  const hash = createHash('sha256')
  for (const measurement of generateMeasurements(1000)) hash.update(JSON.stringify(measurement) + '\n')
  assert.equal(hash.digest('hex'), SHA256_OF_1000)
})

test('each record has the 17 fields, in order', () => {
  for (const shape of Object.keys(SHAPES)) {
    for (const measurement of generateMeasurements(200, shape)) assert.deepEqual(Object.keys(measurement), FIELDS)
  }
})

test('a record of the published shape takes about 600 bytes and looks like the example of the text', () => {
  const count = 5000
  let bytes = 0
  const cids = new Set()
  for (const measurement of generateMeasurements(count, 'published')) {
    bytes += JSON.stringify(measurement).length + 1
    assert.equal(measurement.attestation, null)
    assert.equal(String(measurement.id).length, 9)
    if (measurement.cid === null) continue
    assert.match(measurement.cid, /^Qm[1-9A-HJ-NP-Za-km-z]{44}$/)
    cids.add(measurement.cid)
  }
  assert.ok(Math.abs(bytes / count - 600) < 5, `${bytes / count} bytes`)
  assert.ok(cids.size > 2500 && cids.size <= 4000)
})

test('few texts, and timestamps that differ', () => {
  const count = 20_000
  const distinct = Object.fromEntries(FIELDS.map(field => [field, new Set()]))
  for (const measurement of generateMeasurements(count)) {
    if (invalidField(measurement) !== null) continue
    for (const field of FIELDS) distinct[field].add(measurement[field])
  }
  // A twentieth of the records for each CID: some may not be drawn.
  assert.ok(distinct.cid.size > 3900 && distinct.cid.size <= 4000)
  assert.ok(distinct.participant_address.size <= 600)
  assert.ok(distinct.attestation.size <= 601)
  assert.ok(distinct.inet_group.size <= 900)
  assert.ok(distinct.provider_address.size <= 150)
  assert.ok(distinct.spark_version.size <= 5)
  assert.ok(distinct.zinnia_version.size <= 3)
  assert.ok(distinct.finished_at.size > 0.99 * count)
  for (const cid of distinct.cid) assert.equal(cid.length, 59)
})

test('some records are invalid, some retrievals failed', () => {
  let invalid = 0
  let failed = 0
  let timedOut = 0
  for (const measurement of generateMeasurements(10_000)) {
    if (invalidField(measurement) !== null) invalid++
    else if (measurement.timeout) timedOut++
    else if (measurement.status_code !== 200) failed++
  }
  assert.ok(invalid > 10 && invalid < 100, `${invalid} invalid`)
  assert.ok(timedOut > 500 && timedOut < 900, `${timedOut} timed out`)
  assert.ok(failed > 1000 && failed < 1600, `${failed} failed`)
})
