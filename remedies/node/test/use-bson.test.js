'use strict'

// The ids follow the rules of the bson they are used with, where releases differ.

const assert = require('node:assert/strict')
const { afterEach, describe, test } = require('node:test')
const { inspect } = require('node:util')
const bson = require('bson')
const { useBson } = require('..')
const { BSONS } = require('./bsons.js')
const { CLASSES } = require('./ids.js')

const TEXT = '0123456789abcdef01234567'

afterEach(() => useBson(bson))

for (const [version, used] of Object.entries(BSONS)) {
  for (const [name, Id] of Object.entries(CLASSES)) {
    describe(`${name} with bson ${version}`, () => {
      test('it serialises, and reads back', () => {
        useBson(used)
        const id = new Id(TEXT)
        const theirs = new used.ObjectId(TEXT)
        const documents = [{ id }, { a: [id, { id }] }, { ref: new used.DBRef('ids', id) }]
        const expected = [{ id: theirs }, { a: [theirs, { id: theirs }] }, { ref: new used.DBRef('ids', theirs) }]
        for (const [i, document] of documents.entries()) {
          assert.deepEqual(used.serialize(document), used.serialize(expected[i]))
          assert.equal(used.calculateObjectSize(document), used.calculateObjectSize(expected[i]))
          assert.equal(used.EJSON.stringify(document), used.EJSON.stringify(expected[i]))
        }
        assert.ok(used.deserialize(used.serialize({ id })).id.equals(id))
      })

      test('it is equal to their ids, from either side', () => {
        useBson(used)
        const id = new Id(TEXT)
        const theirs = new used.ObjectId(TEXT)
        const other = new used.ObjectId()
        assert.ok(theirs.equals(id) && id.equals(theirs))
        assert.ok(!other.equals(id) && !id.equals(other))
        assert.equal(new used.ObjectId(id).toHexString(), TEXT)
        assert.equal(new Id(theirs).toHexString(), TEXT)
      })

      test('it is an instance of their ObjectId', () => {
        useBson(used)
        assert.ok(new Id() instanceof used.ObjectId)
        assert.ok(!(new used.ObjectId() instanceof Id))
      })

      test('inputs are taken or refused as by them', () => {
        useBson(used)
        const inputs = [
          ...[5, 0, -1, 1.5, NaN, Infinity, Number.MAX_SAFE_INTEGER],
          ...['abcdefghijkl', '\u00e9bcdefghijkl', '\u00e9bcdefghijk', 'abcdefghijk', '', TEXT, TEXT.toUpperCase(), TEXT + '0'],
          ...[{ id: 'abcdefghijkl' }, { id: 5 }, { id: TEXT }, { toHexString: () => TEXT }],
          ...[true, false, {}, [], () => TEXT, new Date(), Buffer.alloc(12), Buffer.alloc(11)]
        ]
        for (const input of inputs) {
          const expected = outcome(() => new used.ObjectId(input), used)
          const actual = outcome(() => new Id(input), used)
          // The rest of an id of a time is of this process, and counted.
          const length = typeof input === 'number' ? 8 : 24
          assert.equal(actual.slice(0, length), expected.slice(0, length), inspect(input))
          assert.equal(Id.isValid(input), used.ObjectId.isValid(input), inspect(input))
          const twelve = Buffer.from('abcdefghijkl')
          assert.equal(new Id(twelve).equals(input), new used.ObjectId(twelve).equals(input), inspect(input))
        }
      })

      test('it prints like theirs', () => {
        useBson(used)
        for (const options of [{}, { colors: true }]) {
          assert.equal(inspect([new Id(TEXT)], options), inspect([new used.ObjectId(TEXT)], options))
        }
        assert.equal(new Id(TEXT).inspect(), new used.ObjectId(TEXT).inspect())
      })

      test('times are those of theirs', () => {
        useBson(used)
        for (const seconds of [0, 1, 1_700_000_000, 2 ** 31, 2 ** 32 - 1]) {
          const theirs = used.ObjectId.createFromTime(seconds)
          assert.equal(Id.createFromTime(seconds).toHexString(), theirs.toHexString())
          assert.equal(Id.createFromTime(seconds).getTimestamp().getTime(), theirs.getTimestamp().getTime())
        }
      })
    })
  }
}

test('what is said to be an id is compared by its bytes, as by bson 6 and 7.3.1', t => {
  for (const [version, used] of Object.entries(BSONS)) {
    useBson(used)
    const other = { _bsontype: 'ObjectId', buffer: Buffer.from(TEXT, 'hex') }
    const expected = version.startsWith('6') || version === '7.3.1'
    if (expected) assert.ok(new used.ObjectId(TEXT).equals(other))
    for (const Id of Object.values(CLASSES)) {
      if (expected) assert.ok(new Id(TEXT).equals(other), version)
      assert.ok(!new Id().equals(other), version)
    }
  }
  t.diagnostic(Object.keys(BSONS).join(', '))
})

test('what is no bson is refused', () => {
  for (const other of [undefined, {}, { ObjectId: class {} }]) assert.throws(() => useBson(other), TypeError)
})

/** The text of the id that was made, or the name of the error. */
function outcome(make, used) {
  try {
    return make().toHexString()
  } catch (error) {
    assert.ok(error instanceof used.BSONError, String(error))
    return error.name
  }
}
