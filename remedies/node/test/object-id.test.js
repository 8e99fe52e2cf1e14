'use strict'

// Both ids against bson's own: the same inputs must give the same outputs.

const assert = require('node:assert/strict')
const { describe, test } = require('node:test')
const { inspect } = require('node:util')
const bson = require('bson')
const { CLASSES, randomTexts } = require('./ids.js')

const TEXT = '0123456789abcdef01234567'

for (const [name, Id] of Object.entries(CLASSES)) {
  describe(name, () => {
    test('random ids read the same in every form', () => {
      for (const text of randomTexts(5000)) {
        const theirs = new bson.ObjectId(text)
        for (const ours of [new Id(text), new Id(Buffer.from(text, 'hex')), new Id(theirs), new Id(new Id(text))]) {
          assert.equal(ours.toHexString(), text)
          assert.equal(String(ours), text)
          assert.equal(ours.toString('base64'), theirs.toString('base64'))
          assert.equal(JSON.stringify({ ours }), `{"ours":"${text}"}`)
          assert.ok(theirs.id.equals(ours.id))
          assert.equal(ours.getTimestamp().getTime(), theirs.getTimestamp().getTime())
          assert.deepEqual(ours.toExtendedJSON(), theirs.toExtendedJSON())
          assert.ok(ours.equals(theirs) && theirs.equals(ours) && ours.equals(text))
        }
      }
    })

    test('random ids serialise to the same bytes', () => {
      for (const text of randomTexts(1000)) {
        const ours = { _id: new Id(text), list: [new Id(text)], in: { id: new Id(text) } }
        const theirs = { _id: new bson.ObjectId(text), list: [new bson.ObjectId(text)], in: { id: new bson.ObjectId(text) } }
        assert.deepEqual(bson.serialize(ours), bson.serialize(theirs))
        assert.equal(bson.calculateObjectSize(ours), bson.calculateObjectSize(theirs))
        assert.equal(bson.EJSON.stringify(ours), bson.EJSON.stringify(theirs))
      }
      const reference = { ref: new bson.DBRef('ids', new Id(TEXT)) }
      assert.equal(bson.deserialize(bson.serialize(reference)).ref.oid.toHexString(), TEXT)
    })

    test('inputs are taken or refused as by bson', () => {
      const inputs = {
        upper: TEXT.toUpperCase(),
        short: TEXT.slice(1),
        long: TEXT + '0',
        twelve: 'abcdefghijkl',
        empty: '',
        'no digit': TEXT.slice(1) + 'g',
        'no digit, wide': TEXT.slice(1) + '\u0131',
        'a digit but for a high bit': TEXT.slice(1) + String.fromCharCode(0x80 + 0x30),
        bytes: new Uint8Array(12).fill(200),
        'eleven bytes': new Uint8Array(11),
        'thirteen bytes': new Uint8Array(13),
        words: new Uint16Array([1, 2, 3, 4, 5, 60000]),
        'a view': new DataView(new ArrayBuffer(16), 2, 12),
        'a buffer': new ArrayBuffer(12),
        array: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
        object: {},
        'an id of text': { id: TEXT },
        'an id of bytes': { id: Buffer.from(TEXT, 'hex') },
        'an id of other text': { id: 'zz' },
        'an id of too few bytes': { id: new Uint8Array(11) },
        'an id of null': { id: null },
        'an id of a number': { id: 5 },
        'an id and a method': { id: 'x', toHexString: () => TEXT },
        'an id and a broken method': { id: 'x', toHexString: () => 'x' },
        'a method only': { toHexString: () => TEXT },
        'another id': new bson.ObjectId(TEXT),
        true: true,
        false: false,
        symbol: Symbol('id'),
        bigint: 5n,
        function: () => TEXT,
        date: new Date(5000)
      }
      for (const [input, value] of Object.entries(inputs)) {
        assert.equal(outcome(() => new Id(value).toHexString()), outcome(() => new bson.ObjectId(value).toHexString()), input)
        assert.equal(Id.isValid(value), bson.ObjectId.isValid(value), input)
        assert.equal(new Id(TEXT).equals(value), new bson.ObjectId(TEXT).equals(value), input)
      }
      for (const value of [undefined, null]) {
        assert.equal(Id.isValid(value), false)
        assert.equal(new Id(TEXT).equals(value), false)
      }
    })

    test('a number is the time, as by bson', () => {
      for (const seconds of [0, 1, 1.7, -1, 1_700_000_000, 2 ** 31, 2 ** 32 - 1, 2 ** 32 + 5, NaN, Infinity]) {
        const theirs = new bson.ObjectId(seconds).toHexString().slice(0, 8)
        assert.equal(new Id(seconds).toHexString().slice(0, 8), theirs)
        assert.equal(Id.generate(seconds).toString('hex').slice(0, 8), theirs)
        const lowest = bson.ObjectId.createFromTime(seconds).toHexString()
        assert.equal(Id.createFromTime(seconds).toHexString(), lowest)
        assert.ok(Id.isValid(seconds))
      }
    })

    test('ids from text alone are as strict as by bson', () => {
      for (const text of [TEXT, TEXT.toUpperCase(), 'ab', '', TEXT.slice(1) + 'g', null, undefined, 12]) {
        assert.equal(
          outcome(() => Id.createFromHexString(text).toHexString()),
          outcome(() => bson.ObjectId.createFromHexString(text).toHexString())
        )
      }
      for (const text of ['ASNFZ4mrze8BI0Vn', '_-__4mrze8BI0VnA', 'ASNFZ4mrze8BI0V', 'AS!FZ4mrze8BI0Vn', '', null]) {
        assert.equal(
          outcome(() => Id.createFromBase64(text).toHexString()),
          outcome(() => bson.ObjectId.createFromBase64(text).toHexString())
        )
      }
      const { createFromHexString } = Id
      assert.equal([TEXT].map(createFromHexString)[0].toHexString(), TEXT)
      assert.equal(Id.fromExtendedJSON({ $oid: TEXT }).toHexString(), TEXT)
    })

    test('it prints like bson\'s', () => {
      const ours = new Id(TEXT)
      const theirs = new bson.ObjectId(TEXT)
      for (const options of [{}, { colors: true }, { depth: 0 }]) {
        assert.equal(inspect(ours, options), inspect(theirs, options))
        assert.equal(inspect({ a: [ours] }, options), inspect({ a: [theirs] }, options))
      }
      assert.equal(ours.inspect(), theirs.inspect())
      const show = (value, options) => JSON.stringify([value, options])
      assert.equal(ours.inspect(2, { colors: false }, show), theirs.inspect(2, { colors: false }, show))
    })

    test('new ids are of now, of this process, and count up', () => {
      const before = Math.floor(Date.now() / 1000)
      const ids = Array.from({ length: 70_000 }, () => new Id())
      const after = Math.floor(Date.now() / 1000)
      assert.equal(new Set(ids.map(String)).size, ids.length)
      const counters = ids.map(id => parseInt(id.toHexString().slice(18), 16))
      for (let i = 1; i < ids.length; i++) assert.equal(counters[i], (counters[i - 1] + 1) & 0xffffff)
      const random = ids[0].toHexString().slice(8, 18)
      for (const id of ids) {
        const seconds = id.getTimestamp() / 1000
        assert.ok(seconds >= before && seconds <= after)
        assert.equal(id.toHexString().slice(8, 18), random)
      }
      assert.ok(Id.createPk() instanceof Id)
      assert.equal(new Id(null).toHexString().slice(8, 18), random)
    })

    test('the bytes can be replaced, by 12 others', () => {
      const id = new Id(TEXT)
      id.id = Buffer.alloc(12, 7)
      assert.equal(id.toHexString(), '07'.repeat(12))
      for (const bytes of [Buffer.alloc(11), TEXT, null, [1, 2, 3]]) {
        assert.throws(() => (id.id = bytes), { name: 'BSONError' })
      }
      assert.equal(id.toHexString(), '07'.repeat(12))
    })

    test('it does not change with the bytes it was made from', () => {
      const bytes = Buffer.from(TEXT, 'hex')
      const id = new Id(bytes)
      bytes[0] = 0xff
      assert.equal(id.toHexString(), TEXT)
    })

    test('hex texts are kept if asked for, and forgotten with the bytes', t => {
      assert.equal(Id.cacheHexString, false)
      Id.cacheHexString = true
      t.after(() => (Id.cacheHexString = false))
      for (const text of [TEXT, TEXT.toUpperCase()]) {
        const id = new Id(text)
        assert.equal(id.toHexString(), TEXT)
        assert.equal(id.toHexString(), TEXT)
        assert.equal(JSON.stringify(id), `"${TEXT}"`)
        id.id = Buffer.alloc(12, 7)
        assert.equal(id.toHexString(), '07'.repeat(12))
      }
    })

    test('a structured clone has the 12 bytes, and no pool', () => {
      const id = new Id(TEXT)
      const clone = structuredClone({ id }).id
      for (const value of Object.values(clone)) assert.ok(!ArrayBuffer.isView(value) || value.buffer.byteLength === 12)
      const again = 'buffer' in clone ? new Id(clone.buffer) : Object.setPrototypeOf(clone, Id.prototype)
      assert.ok(again.equals(id) && id.equals(again))
    })

    test('an id of a subclass is one of it', () => {
      class OrderId extends Id {}
      const id = new OrderId(TEXT)
      assert.ok(id instanceof OrderId && id instanceof Id)
      assert.ok(id.equals(new Id(TEXT)) && new Id(TEXT).equals(id))
    })

    test('it is written where the serializer wants it', () => {
      const bytes = new Uint8Array(20)
      assert.equal(new Id(TEXT).serializeInto(bytes, 4), 12)
      assert.equal(Buffer.from(bytes).toString('hex'), '00000000' + TEXT + '00000000')
    })
  })
}

/** What a call gave, or the name of its error: messages may differ. */
function outcome(call) {
  try {
    return call()
  } catch (error) {
    assert.ok(error instanceof Error)
    return error.name
  }
}
