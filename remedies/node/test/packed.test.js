'use strict'

const assert = require('node:assert/strict')
const { test } = require('node:test')
const lodash = require('lodash')
const { PackedObjectId } = require('..')
const { randomTexts } = require('./ids.js')

test('equal ids are deeply equal, others are not', () => {
  const texts = randomTexts(500)
  for (const [i, text] of texts.entries()) {
    const id = { _id: new PackedObjectId(text) }
    const twin = { _id: new PackedObjectId(Buffer.from(text, 'hex')) }
    const other = { _id: new PackedObjectId(texts[(i + 1) % texts.length]) }
    assert.deepStrictEqual(id, twin)
    assert.notDeepStrictEqual(id, other)
    assert.ok(lodash.isEqual(id, twin))
    assert.ok(!lodash.isEqual(id, other))
  }
})

test('a deep copy is an id of its own', () => {
  const id = new PackedObjectId()
  const { _id: copy } = lodash.cloneDeep({ _id: id })
  assert.ok(copy instanceof PackedObjectId && copy !== id)
  assert.ok(copy.equals(id) && id.equals(copy))
  assert.deepStrictEqual(copy, id)
  const text = id.toHexString()
  copy.id = Buffer.alloc(12)
  assert.equal(id.toHexString(), text)
})
