'use strict'

// What an id that bson has read holds: never the bytes of the document it was read from.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { BSONS } = require('./bsons.js')
const { collectGarbage } = require('./collect-garbage.js')

/** Bytes of the memory behind an id. Ids of bson 7.3.2 and later have none of their own. */
const BEHIND = { '5.5.1': 12, '6.10.4': Buffer.poolSize, '7.3.1': Buffer.poolSize, '7.3.4': 0 }

for (const [version, { deserialize, ObjectId, serialize }] of Object.entries(BSONS)) {
  test(`bson ${version}: an id is a copy of what was read`, () => {
    const document = { _id: new ObjectId(), list: [new ObjectId()], text: 'x'.repeat(2000) }
    const bytes = new Uint8Array(serialize(document))
    assert.ok(bytes.length > 2000)
    const { _id, list } = deserialize(bytes)
    for (const [id, original] of [[_id, document._id], [list[0], document.list[0]]]) {
      assert.ok(id.id.buffer !== bytes.buffer)
      bytes.fill(0)
      assert.ok(id.equals(original))
      if (BEHIND[version] === 0) assert.ok(Object.values(id).every(value => typeof value === 'number'))
      else assert.equal(id.id.buffer.byteLength, BEHIND[version])
    }
  })

  test(`bson ${version}: the document is freed, and the id is not`, async () => {
    const { id, document } = readOne()
    for (let i = 0; i < 20 && document.deref() !== undefined; i++) {
      await new Promise(resolve => setImmediate(resolve))
      collectGarbage()
    }
    assert.equal(document.deref(), undefined)
    assert.equal(id.toHexString().length, 24)

    function readOne() {
      const bytes = new Uint8Array(serialize({ _id: new ObjectId(), text: 'x'.repeat(2000) }))
      return { id: deserialize(bytes)._id, document: new WeakRef(bytes.buffer) }
    }
  })
}
