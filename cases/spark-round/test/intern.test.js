import assert from 'node:assert/strict'
import test from 'node:test'
import { generateMeasurements } from '../lib/generator.js'
import { Interner } from '../lib/intern.js'

const [RECORD] = generateMeasurements(1)

test('fields keep their values', () => {
  assert.deepEqual(new Interner().internFields({ ...RECORD }), RECORD)
})

test('when it is full, further texts pass through', () => {
  const strings = new Interner(1)
  assert.equal(strings.intern('a'), 'a')
  assert.equal(strings.intern('b'), 'b')
  strings.clear()
  assert.equal(strings.intern('b'), 'b')
})

test('null and undefined pass through, and take no place', () => {
  const strings = new Interner(1)
  assert.equal(strings.intern(null), null)
  assert.equal(strings.intern(undefined), undefined)
  // The one place is still free: the second of two equal texts is looked up.
  const [first, second] = [JSON.parse('"a text, as parsed"'), JSON.parse('"a text, as parsed"')]
  assert.equal(strings.intern(first), strings.intern(second))
  assert.equal(strings.intern(null), null)
})

test('a shared text cannot be changed for those that share it', () => {
  const strings = new Interner()
  const one = strings.internFields({ ...RECORD })
  const other = strings.internFields({ ...RECORD })
  assert.throws(() => {
    one.cid[0] = 'X'
  }, TypeError)
  assert.throws(() => {
    one.cid.length = 0
  }, TypeError)
  // What changes is the field of one record, not the text.
  one.cid += '!'
  assert.equal(other.cid, RECORD.cid)
})
