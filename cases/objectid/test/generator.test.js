import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import test from 'node:test'
import { generateDocuments } from '../lib/generator.js'

// Figures are compared between versions and machines, so the input must never change unnoticed.
const SHA256_OF_1000 = 'd6ff8ff6a2a5cf3c570864020f549dfc54a22c07b3b010cacf243d3057839eca'

test('the same count gives the same bytes', () => {
  const hash = createHash('sha256')
  for (const document of generateDocuments(1000)) hash.update(JSON.stringify(document) + '\n')
  assert.equal(hash.digest('hex'), SHA256_OF_1000)
})

test('each id is 24 hex digits, and there only once', () => {
  const ids = new Set()
  let documents = 0
  for (const { _id, order_id, invoice_id } of generateDocuments(20_000)) {
    documents++
    for (const id of [_id, order_id, invoice_id]) {
      assert.match(id, /^[0-9a-f]{24}$/)
      ids.add(id)
    }
  }
  assert.equal(ids.size, 3 * documents)
})
