'use strict'

const assert = require('node:assert/strict')
const { afterEach, describe, test } = require('node:test')
const bson = require('bson')
const { compactIds, PackedObjectId, useBson } = require('..')
const { BSONS } = require('./bsons.js')
const { CLASSES } = require('./ids.js')

afterEach(() => useBson(bson))

for (const [version, used] of Object.entries(BSONS)) {
  for (const [name, Id] of Object.entries(CLASSES)) {
    describe(`${name} in documents of bson ${version}`, () => {
      const document = () => ({
        _id: new used.ObjectId('01'.repeat(12)),
        list: [new used.ObjectId('02'.repeat(12)), 5, null, [new used.ObjectId('03'.repeat(12))]],
        in: { deeper: { id: new used.ObjectId('04'.repeat(12)) } },
        ref: new used.DBRef('names', new used.ObjectId('05'.repeat(12)), 'db', { more: new used.ObjectId() }),
        code: new used.Code('x', { id: new used.ObjectId('06'.repeat(12)) }),
        date: new Date(5),
        binary: new used.Binary(Buffer.from('abc')),
        decimal: new used.Decimal128('1.5'),
        long: used.Long.fromString('9007199254740993'),
        regexp: /a/i,
        text: 'abc',
        none: null
      })

      test('each id is replaced, and the bytes of the document are the same', () => {
        useBson(used)
        const bytes = used.serialize(document())
        const read = used.deserialize(bytes)
        const { list } = read
        assert.equal(compactIds(read, Id), read)
        assert.equal(read.list, list)
        const ids = [read._id, list[0], list[3][0], read.in.deeper.id, read.ref.oid, read.ref.fields.more, read.code.scope.id]
        for (const id of ids) assert.ok(id instanceof Id)
        assert.deepEqual(used.serialize(read), bytes)
        const [first] = ids
        assert.equal(compactIds(read, Id)._id, first)
      })

      test('a single id and a list of documents can be given, and what is no object comes back', () => {
        useBson(used)
        assert.ok(compactIds(new used.ObjectId(), Id) instanceof Id)
        assert.ok(compactIds([{ a: new used.ObjectId() }], Id)[0].a instanceof Id)
        assert.ok(compactIds(new Map([['a', new used.ObjectId()]]), Id).get('a') instanceof Id)
        for (const value of [null, undefined, 5, 'text', true]) assert.equal(compactIds(value, Id), value)
      })
    })
  }
}

test('fields that could mislead are read as fields', () => {
  const text = '0123456789abcdef01234567'
  for (const _bsontype of ['Long', 'ObjectId', 'DBRef']) {
    const document = { in: { _bsontype, id: new bson.ObjectId(text) } }
    const held = document.in
    compactIds(document)
    assert.equal(document.in, held)
    assert.ok(held.id instanceof PackedObjectId)
    assert.deepEqual(Object.keys(held), ['_bsontype', 'id'])
  }
  const withProto = JSON.parse('{"__proto__": {}}')
  withProto.__proto__ = { id: 1 }
  Object.defineProperty(withProto, '__proto__', { value: new bson.ObjectId(text), enumerable: true, writable: true, configurable: true })
  compactIds(withProto)
  assert.ok(Object.getOwnPropertyDescriptor(withProto, '__proto__').value instanceof PackedObjectId)
  assert.equal(Object.getPrototypeOf(withProto), Object.prototype)
})

test('objects of classes of their own are left as they are', () => {
  class Money {
    id = new bson.ObjectId()
  }
  const money = new Money()
  const { id } = money
  compactIds({ money })
  assert.equal(money.id, id)
})
