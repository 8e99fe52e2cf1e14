// Whatever ids are kept as, they must read the same. What they do beside is tested
// where they are made.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import test from 'node:test'
import { inspect } from 'node:util'
import { PackedObjectId, PooledObjectId } from '@deadweight/remedies'
import * as bson from 'bson'

const IMPLEMENTATIONS = { 'bson 6': bson.ObjectId, pooled: PooledObjectId, packed: PackedObjectId }
for (const name of ['bson-7.3.1', 'bson-next']) {
  // They need a newer Node.js than this case does.
  const other = await import(name).catch(() => null)
  if (other !== null) IMPLEMENTATIONS[name] = other.ObjectId
}

const texts = ['0'.repeat(24), 'f'.repeat(24), '80000000'.repeat(3), '7fffffff'.repeat(3)]
for (let i = 0; i < 5000; i++) texts.push(randomBytes(12).toString('hex'))

for (const [name, Id] of Object.entries(IMPLEMENTATIONS)) {
  test(`${name}: random ids read as by bson 6`, () => {
    for (const [i, text] of texts.entries()) {
      const expected = new bson.ObjectId(text)
      const other = texts[(i + 1) % texts.length]
      for (const id of [new Id(text), new Id(Buffer.from(text, 'hex')), Id.createFromHexString(text.toUpperCase())]) {
        assert.equal(id.toHexString(), text)
        assert.equal(id.toString(), text)
        assert.equal(JSON.stringify(id), JSON.stringify(expected))
        assert.equal(inspect(id), inspect(expected))
        assert.equal(Buffer.from(id.id).toString('hex'), text)
        assert.equal(id.getTimestamp().getTime(), expected.getTimestamp().getTime())
        assert.ok(id.equals(new Id(text)) && id.equals(text))
        assert.ok(!id.equals(new Id(other)) && !id.equals(other))
        const bytes = Buffer.alloc(12)
        assert.equal(id.serializeInto(bytes, 0), 12)
        assert.equal(bytes.toString('hex'), text)
      }
    }
  })

  test(`${name}: what is no id is refused`, () => {
    for (const input of ['', 'no id', 'g'.repeat(24), '0'.repeat(23), new Uint8Array(11), {}, [], true]) {
      assert.throws(() => new Id(input), { name: 'BSONError' })
      assert.equal(Id.isValid(input), false)
      assert.equal(new Id('0'.repeat(24)).equals(input), false)
    }
  })

  test(`${name}: new ids are of now, and never the same`, () => {
    const before = Math.floor(Date.now() / 1000) * 1000
    const ids = Array.from({ length: 5000 }, () => new Id())
    assert.equal(new Set(ids.map(String)).size, ids.length)
    for (const id of ids) assert.ok(id.getTimestamp() >= before && id.getTimestamp() <= Date.now())
  })
}
