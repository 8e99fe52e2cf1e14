'use strict'

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { inspect } = require('node:util')
const { Columns } = require('..')

const SCHEMA = {
  id: 'int32',
  price: 'float64',
  paid: 'boolean',
  at: 'timestamp',
  city: 'string',
  code: { type: 'int32', nullable: true },
  rate: { type: 'float64', nullable: true },
  done: { type: 'timestamp', nullable: true },
  seen: { type: 'boolean', nullable: true },
  note: { type: 'string', nullable: true }
}

function recordAt(i) {
  const or = value => (i % 3 === 0 ? null : value)
  return {
    id: i * 7919 - 2 ** 31,
    price: i / 3,
    paid: i % 2 === 0,
    at: 1_700_000_000_000 + i,
    city: `city ${i % 300}`,
    code: or(-i),
    rate: or(i % 5 === 0 ? NaN : i * 1e300),
    done: or(-i * 1000),
    seen: or(i % 4 === 0),
    note: or(`note ${i}`)
  }
}

test('rows read like the records that were put in, before and after trimming', () => {
  const table = new Columns(SCHEMA)
  const records = Array.from({ length: 5000 }, (_, i) => recordAt(i))
  records.forEach((record, i) => assert.equal(table.push(record), i + 1))
  for (let pass = 0; pass < 2; pass++) {
    assert.equal(table.length, records.length)
    let i = 0
    for (const row of table) {
      for (const field of Object.keys(SCHEMA)) assert.ok(Object.is(row[field], records[i][field]), `${field} of ${i}`)
      i++
    }
    assert.equal(i, records.length)
    assert.deepEqual(table.toJSON(), records)
    const room = table.byteLength
    table.trim()
    assert.ok(table.byteLength <= room)
  }
  table.push(recordAt(5000))
  assert.deepEqual(table.at(-1).toJSON(), recordAt(5000))
  assert.deepEqual(table.at(4999).toJSON(), records[4999])
})

test('codes grow with the number of distinct texts', () => {
  const table = new Columns({ text: 'string' })
  for (let i = 0; i < 70_000; i++) {
    table.push({ text: `t${i}` })
    if (i === 255) assert.equal(table.values('text').BYTES_PER_ELEMENT, 1)
    if (i === 256 || i === 65_535) assert.equal(table.values('text').BYTES_PER_ELEMENT, 2)
    if (i === 65_536) assert.equal(table.values('text').BYTES_PER_ELEMENT, 4)
  }
  for (let i = 0; i < 70_000; i++) assert.equal(table.at(i).text, `t${i}`)
  assert.equal(table.texts('text').length, 70_000)
})

test('a record that does not fit changes nothing, and the error names the field', () => {
  const refused = [
    { id: 0.5 },
    { id: 2 ** 31 },
    { id: '1' },
    { id: null },
    { id: -0.1 },
    { price: '1' },
    { price: null },
    { paid: 1 },
    { paid: undefined },
    { at: NaN },
    { at: new Date(NaN) },
    { at: 8.64e15 + 1 },
    { at: '2024-01-01' },
    { city: 5 },
    { city: null },
    { code: 'x' },
    { note: 5 }
  ]
  const table = new Columns(SCHEMA)
  table.push(recordAt(1))
  for (const wrong of refused) {
    assert.throws(() => table.push({ ...recordAt(2), ...wrong }), new RegExp(`field ${Object.keys(wrong)[0]}: `))
    assert.equal(table.length, 1)
  }
  table.push(recordAt(3))
  assert.deepEqual(table.toJSON(), [recordAt(1), recordAt(3)])
})

test('fields can be written, and are checked', () => {
  const table = new Columns(SCHEMA)
  table.push(recordAt(1))
  const row = table.at(0)
  Object.assign(row, recordAt(3))
  assert.deepEqual(row.toJSON(), recordAt(3))
  Object.assign(row, recordAt(4))
  assert.deepEqual(row.toJSON(), recordAt(4))
  assert.throws(() => (row.id = 0.5), RangeError)
  assert.equal(row.id, recordAt(4).id)
})

test('dates are kept as milliseconds, and nothing as null', () => {
  const table = new Columns({ at: 'timestamp', end: { type: 'timestamp', nullable: true } })
  table.push({ at: new Date(5) })
  assert.deepEqual(table.at(0).toJSON(), { at: 5, end: null })
})

test('a row can be kept, and shows its fields', () => {
  const table = new Columns({ n: 'int32', text: 'string' })
  for (let n = 0; n < 3; n++) table.push({ n, text: 'x' })
  const rows = [...table]
  assert.deepEqual(rows.map(row => row.n), [0, 1, 2])
  assert.equal(JSON.stringify(rows[1]), '{"n":1,"text":"x"}')
  assert.equal(inspect(rows[2]), "{ n: 2, text: 'x' }")
  assert.ok('text' in rows[0])
  const { n, text } = rows[2]
  assert.deepEqual([n, text], [2, 'x'])
  const seen = []
  table.forEach((row, i) => seen.push([row.n, i]))
  assert.deepEqual(seen, [[0, 0], [1, 1], [2, 2]])
})

test('there is no row outside the table', () => {
  const table = new Columns({ n: 'int32' })
  table.push({ n: 7 })
  for (const index of [1, -2, 0.5, NaN, 1000]) assert.equal(table.at(index), undefined)
  assert.equal(table.at(-1).n, 7)
})

test('raw values can be had', () => {
  const table = new Columns({ n: 'int32', city: 'string' })
  for (const [n, city] of [[1, 'a'], [2, 'b'], [3, 'a']]) table.push({ n, city })
  assert.deepEqual(table.values('n'), Int32Array.of(1, 2, 3))
  assert.deepEqual(table.values('city'), Uint8Array.of(0, 1, 0))
  assert.deepEqual(table.texts('city'), ['a', 'b'])
  assert.throws(() => table.values('x'), TypeError)
  assert.throws(() => table.texts('n'), TypeError)
})

test('a schema that makes no sense is refused', () => {
  for (const schema of [{}, { n: 'int' }, { n: { type: 'toString' } }, { constructor: 'int32' }, { toJSON: 'int32' }]) {
    assert.throws(() => new Columns(schema), TypeError)
  }
})

test('tables do not share their rows\' accessors', () => {
  const a = new Columns({ n: 'int32' })
  const b = new Columns({ n: 'string' })
  a.push({ n: 1 })
  b.push({ n: 'one' })
  assert.deepEqual([a.at(0).n, b.at(0).n], [1, 'one'])
})
