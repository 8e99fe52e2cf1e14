'use strict'

// What the MongoDB driver does with ids, without a server: it makes the `_id` of a
// document that has none, and serialises with the bson it comes with.

const assert = require('node:assert/strict')
const { afterEach, test } = require('node:test')
const bson = require('bson')
const { BSON, MongoClient } = require('mongodb')
const { maybeAddIdToDocuments } = require('mongodb/lib/utils')
const { compactIds, useBson } = require('..')
const { CLASSES } = require('./ids.js')

afterEach(() => useBson(bson))

for (const [name, Id] of Object.entries(CLASSES)) {
  test(`the driver makes ids with ${name}.createPk`, async t => {
    useBson(BSON)
    const client = new MongoClient('mongodb://localhost', { pkFactory: { createPk: Id.createPk } })
    t.after(() => client.close())
    const collection = client.db('shop').collection('orders')
    const order = maybeAddIdToDocuments(collection, { number: 1 }, {})
    assert.ok(order._id instanceof Id && order._id instanceof BSON.ObjectId)
    const read = BSON.deserialize(BSON.serialize(order))
    assert.ok(read._id instanceof BSON.ObjectId && read._id.equals(order._id))
    assert.ok(compactIds(read, Id)._id.equals(order._id))
  })

  test(`a client takes no class, but a database takes ${name} itself`, async t => {
    assert.throws(() => new MongoClient('mongodb://localhost', { pkFactory: Id }), /pkFactory/)
    const client = new MongoClient('mongodb://localhost')
    t.after(() => client.close())
    const collection = client.db('shop', { pkFactory: Id }).collection('orders')
    assert.ok(maybeAddIdToDocuments(collection, {}, {})._id instanceof Id)
  })
}
