'use strict'

const assert = require('node:assert/strict')
const { test } = require('node:test')
const bson = require('bson')
const { useBson } = require('..')
const { CLASSES } = require('./ids.js')

const TEXT = '0123456789abcdef01234567'

test('ids serialise with the bson they are told of, and throw its errors', async t => {
  const packages = [bson]
  try {
    packages.push(require('bson-next'))
  } catch (error) {
    // It needs a newer Node.js than these remedies do.
    t.diagnostic(`left out: ${error.message}`)
  }
  for (const used of packages.reverse()) {
    useBson(used)
    for (const Id of Object.values(CLASSES)) {
      const id = new Id(TEXT)
      const theirs = new used.ObjectId(TEXT)
      assert.deepEqual(used.serialize({ id }), used.serialize({ id: theirs }))
      assert.ok(theirs.equals(id) && id.equals(theirs))
      assert.equal(new used.ObjectId(id).toHexString(), TEXT)
      assert.throws(() => new Id('no id'), used.BSONError)
    }
  }
})

test('what is no bson is refused', () => {
  for (const other of [undefined, {}, { ObjectId: class {} }]) assert.throws(() => useBson(other), TypeError)
})
