import assert from 'node:assert/strict'
import test from 'node:test'
import { generateMeasurements } from '../lib/generator.js'
import { assertWellFormed, invalidField } from '../lib/validate.js'

const [RECORD] = generateMeasurements(1)

test('a field that is not well formed is named', () => {
  assert.equal(invalidField(RECORD), null)
  const wrong = {
    id: 1.5,
    participant_address: '0x12',
    finished_at: '2024-13-45T00:00:00.000Z', // right in form, but no time
    end_at: 'just now',
    status_code: '200',
    byte_length: -1,
    attestation: '',
    protocol: 'carrier-pigeon'
  }
  for (const [field, value] of Object.entries(wrong)) {
    assert.equal(invalidField({ ...RECORD, [field]: value }), field)
    assert.throws(() => assertWellFormed({ ...RECORD, [field]: value }), { field, message: `${field} is not well formed` })
  }
})
