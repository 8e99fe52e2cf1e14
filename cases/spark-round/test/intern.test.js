import assert from 'node:assert/strict'
import test from 'node:test'
import { generateMeasurements } from '../lib/generator.js'
import { Interner } from '../lib/intern.js'

test('fields keep their values', () => {
  const [record] = generateMeasurements(1)
  assert.deepEqual(new Interner().internFields({ ...record }), record)
})

test('when it is full, further texts pass through', () => {
  const strings = new Interner(1)
  assert.equal(strings.intern('a'), 'a')
  assert.equal(strings.intern('b'), 'b')
  strings.clear()
  assert.equal(strings.intern('b'), 'b')
})
