'use strict'

// What a table refuses leaves nothing behind: no row, no text, no room.

const { withAllocations } = require('./failing-allocations.js')
const assert = require('node:assert/strict')
const { test } = require('node:test')
const { Columns } = require('..')
const { bytesFor } = require('../lib/columns/bits.js')
const { StringColumn } = require('../lib/columns/strings.js')

const KINDS = ['int32', 'float64', 'boolean', 'timestamp', 'string']
const SCHEMA = Object.fromEntries(
  KINDS.flatMap(type => [[type, type], [`${type}_or_null`, { type, nullable: true }]])
)
const FIELDS = Object.keys(SCHEMA)
const TEXT_FIELDS = FIELDS.filter(field => field.startsWith('string'))

const ALLOCATION_FAILED = /Array buffer allocation failed/

function valueFor(field, n) {
  const isNullable = field.endsWith('_or_null')
  if (isNullable && n % 3 === 0) return null
  switch (field.replace('_or_null', '')) {
    case 'int32':
      return [n, -n | 0, 2 ** 31 - 1, -(2 ** 31)][n % 4]
    case 'float64':
      return [n / 7, NaN, -0, -Infinity, 5e-324][n % 5]
    case 'boolean':
      return n % 2 === 0
    case 'timestamp':
      return [n, -0, 8.64e15, -8.64e15, n / 3][n % 5]
    default:
      return `text ${n % 700}`
  }
}

const recordOf = n => Object.fromEntries(FIELDS.map((field, i) => [field, valueFor(field, n + i)]))

/** All that can be seen of a table. */
function stateOf(table) {
  return {
    length: table.length,
    byteLength: table.byteLength,
    rows: table.toJSON(),
    texts: TEXT_FIELDS.map(field => table.texts(field)),
    values: FIELDS.map(field => Array.from(table.values(field)))
  }
}

function assertRefused(table, act, error) {
  const before = stateOf(table)
  assert.throws(act, error)
  assert.deepEqual(stateOf(table), before)
}

function filled(rows) {
  const table = new Columns(SCHEMA)
  for (let n = 0; n < rows; n++) table.push(recordOf(n))
  return table
}

test('a push without memory, at whichever array it fails, changes nothing, and the next succeeds', () => {
  for (const rows of [0, 64, 128, 256]) {
    let refusals = 0
    for (let allocations = 0; ; allocations++) {
      const table = filled(rows)
      const record = { ...recordOf(rows), string: 'a new text', string_or_null: 'another' }
      const before = stateOf(table)
      try {
        withAllocations(allocations, () => table.push(record))
        assert.deepEqual(table.at(-1).toJSON(), record)
        break
      } catch (error) {
        assert.match(error.message, ALLOCATION_FAILED)
        assert.deepEqual(stateOf(table), before)
        refusals++
      }
      assert.equal(table.push(record), rows + 1)
      assert.deepEqual(table.at(-1).toJSON(), record)
    }
    // An array for each field, and bits for those that can be null.
    assert.equal(refusals, FIELDS.length * 1.5)
  }
})

test('a row has its value after pushes without memory', () => {
  const table = new Columns({ n: 'float64' })
  for (let n = 0; n < 64; n++) table.push({ n })
  for (let attempt = 0; attempt < 3; attempt++) {
    assert.throws(() => withAllocations(0, () => table.push({ n: 64 })), ALLOCATION_FAILED)
  }
  assert.equal(table.push({ n: 64 }), 65)
  assert.equal(table.at(64).n, 64)
})

test('wider codes without memory leave text, codes and room as they were', () => {
  for (const distinct of [2 ** 8, 2 ** 16]) {
    const table = new Columns({ first: 'string', second: 'string' })
    // A row more than there are texts, so that no other array has to grow.
    for (let n = 0; n < distinct; n++) table.push({ first: `first ${n}`, second: `second ${n}` })
    table.push({ first: 'first 0', second: 'second 0' })
    const { byteLength } = table
    for (const allocations of [0, 1]) {
      const record = { first: 'one more', second: 'one more' }
      assert.throws(() => withAllocations(allocations, () => table.push(record)), ALLOCATION_FAILED)
      assert.throws(() => withAllocations(0, () => (table.at(0).first = 'one more')), ALLOCATION_FAILED)
      assert.equal(table.byteLength, byteLength)
      assert.equal(table.texts('first').length, distinct)
      assert.equal(table.texts('second').length, distinct)
    }
    table.push({ first: 'one more', second: 'one more' })
    assert.deepEqual(table.at(-1).toJSON(), { first: 'one more', second: 'one more' })
    assert.deepEqual(table.at(0).toJSON(), { first: 'first 0', second: 'second 0' })
  }
})

test('trimming without memory changes nothing, and rows can be added after it', () => {
  for (let allocations = 0; allocations < FIELDS.length; allocations++) {
    const table = filled(70)
    assertRefused(table, () => withAllocations(allocations, () => table.trim()), ALLOCATION_FAILED)
    for (let n = 70; n < 300; n++) table.push(recordOf(n))
    assert.deepEqual(table.toJSON(), Array.from({ length: 300 }, (_, n) => recordOf(n)))
  }
})

test('the texts of a refused record are not kept', () => {
  const table = new Columns({ city: 'string', street: 'string', number: 'int32' })
  table.push({ city: 'Bergen', street: 'Markeveien', number: 1 })
  assert.throws(() => table.push({ city: 'Oslo', street: 'Storgata', number: 1.5 }), RangeError)
  assert.throws(() => table.push({ city: 'Oslo', street: 5, number: 1 }), TypeError)
  assert.deepEqual(table.texts('city'), ['Bergen'])
  assert.deepEqual(table.texts('street'), ['Markeveien'])
})

test('a getter that throws leaves nothing, wherever in the record it stands', () => {
  const table = filled(64)
  for (const field of FIELDS) {
    const record = { ...recordOf(1), string: 'new', string_or_null: 'new' }
    Object.defineProperty(record, field, {
      get() {
        throw new Error('no value today')
      }
    })
    assertRefused(table, () => table.push(record), /^Error: no value today$/)
  }
})

test('what is thrown by a value itself comes through as it is', () => {
  const table = new Columns({ city: 'string', at: 'timestamp' })
  for (const thrown of [null, Object.freeze(new Error('frozen')), 'a text']) {
    const at = new Date(0)
    at.getTime = () => {
      throw thrown
    }
    assert.throws(
      () => table.push({ city: 'new', at }),
      error => error === thrown
    )
  }
  assert.deepEqual(table.texts('city'), [])
})

test('a value that is no good is not asked for its text', () => {
  const table = new Columns({ n: 'int32' })
  const loud = {
    toString() {
      table.push({ n: 1 })
      return 'loud'
    }
  }
  assert.throws(() => table.push({ n: loud }), /field n: expected a whole number of 32 bits, not an object/)
  assert.throws(() => table.push({ n: Object.create(null) }), /^RangeError: field n: /)
  assert.throws(() => table.push({ n: Symbol('x') }), /not Symbol\(x\)/)
  assert.equal(table.length, 0)
})

test('a getter can push to the same table: its row comes first, and both are whole', () => {
  // At each fill, so that the inner push also takes the last room, and the first wider code.
  for (let rows = 0; rows < 260; rows++) {
    const table = new Columns({ before: 'string', n: 'int32', after: 'string' })
    for (let n = 0; n < rows; n++) table.push({ before: `b${n}`, n, after: `a${n}` })
    const inner = { before: 'same', n: -1, after: 'inner' }
    const length = table.push({
      before: 'same',
      get n() {
        table.push(inner)
        return -2
      },
      after: 'outer'
    })
    assert.equal(length, rows + 2)
    assert.deepEqual(table.at(-2).toJSON(), inner)
    assert.deepEqual(table.at(-1).toJSON(), { before: 'same', n: -2, after: 'outer' })
    assert.equal(table.texts('before').filter(text => text === 'same').length, 1)
    assert.deepEqual(table.at(0).toJSON(), rows === 0 ? inner : { before: 'b0', n: 0, after: 'a0' })
  }
})

test('a getter can trim the table it is pushed to', () => {
  const table = filled(70)
  const record = recordOf(70)
  const trimming = { ...record }
  Object.defineProperty(trimming, 'timestamp', {
    get() {
      table.trim()
      return record.timestamp
    }
  })
  assert.equal(table.push(trimming), 71)
  assert.deepEqual(table.toJSON(), Array.from({ length: 71 }, (_, n) => recordOf(n)))
})

test('what is read back is what was put in, or it is refused', () => {
  const values = [
    0, -0, 1, -1, 0.5, NaN, Infinity, -Infinity, 2 ** 31, 2 ** 31 - 1, -(2 ** 31), -(2 ** 31) - 1, 2 ** 32, 2 ** 53,
    Number.MAX_VALUE, 5e-324, 8.64e15, 8.64e15 + 2, 1n, '', '1', 'text', true, false, null, undefined, Symbol('x'), [],
    [1], {}, () => 1, new Number(1), new String('x'), new Boolean(true)
  ]
  for (const type of KINDS) {
    for (const value of values) {
      for (const nullable of [false, true]) {
        const table = new Columns({ value: { type, nullable } })
        const isNothing = value === null || value === undefined
        try {
          table.push({ value })
        } catch (error) {
          assert.match(error.message, /^field value: expected /)
          assert.ok(!(nullable && isNothing))
          assert.equal(table.length, 0)
          continue
        }
        const expected = isNothing ? null : value
        assert.ok(Object.is(table.at(0).value, expected), `${type}: ${String(value)}`)
      }
    }
  }
})

test('negative zero is no whole number of 32 bits', () => {
  const table = new Columns({ n: 'int32' })
  assert.throws(() => table.push({ n: -0 }), /field n: expected a whole number of 32 bits, not -0/)
  table.push({ n: 0 })
  assert.throws(() => (table.at(0).n = -0), RangeError)
})

test('more texts than the column can look up are refused', () => {
  const column = new StringColumn(3)
  column.values = new Uint8Array(10)
  for (const text of ['a', 'b', 'c']) column.write(0, column.keep(text))
  assert.throws(() => column.room(10, column.keep('d')), /at most 3 distinct texts/)
  assert.equal(column.room(10, column.keep('c')), null)
  assert.deepEqual(column.texts, ['a', 'b', 'c'])
})

test('bits for as many rows as a table can have', () => {
  assert.deepEqual([0, 1, 8, 9, 2 ** 31 - 1].map(bytesFor), [0, 1, 1, 2, 2 ** 28])
})

test('forEach visits the rows that were there when it began', () => {
  const table = new Columns({ n: 'int32' })
  for (let n = 0; n < 3; n++) table.push({ n })
  table.forEach(({ n }) => table.push({ n: n + 10 }))
  assert.deepEqual(Array.from(table, row => row.n), [0, 1, 2, 10, 11, 12])
})

// A small generator of its own: a failure is found again by its seed.
function random(seed) {
  let state = seed >>> 0
  return below => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const WRONG = [0.5, 2 ** 31, -0, NaN, Infinity, 'x', 1, true, null, undefined, new Date(NaN), {}, 1n]

/** What a table should do, with an array of objects. */
class Model {
  rows = []
  texts = TEXT_FIELDS.map(() => [])

  push(record) {
    this.rows.push({ ...record })
    this.#learn(record)
  }

  set(row, field, value) {
    this.rows[row][field] = value
    this.#learn({ [field]: value })
  }

  #learn(record) {
    TEXT_FIELDS.forEach((field, i) => {
      const text = record[field]
      if (typeof text === 'string' && !this.texts[i].includes(text)) this.texts[i].push(text)
    })
  }
}

function accepts(field, value) {
  if (field.endsWith('_or_null') && (value === null || value === undefined)) return true
  switch (field.replace('_or_null', '')) {
    case 'int32':
      return Number.isInteger(value) && Math.abs(value + 0.5) < 2 ** 31 && !Object.is(value, -0)
    case 'float64':
      return typeof value === 'number'
    case 'timestamp':
      return typeof value === 'number' && Math.abs(value) <= 8.64e15
    case 'boolean':
      return typeof value === 'boolean'
    default:
      return typeof value === 'string'
  }
}

test('random pushes, writes and trims with random failures do what an array of objects does', () => {
  for (let seed = 1; seed <= 12; seed++) {
    const below = random(seed)
    const table = new Columns(SCHEMA)
    const model = new Model()
    for (let step = 0; step < 700; step++) {
      const field = FIELDS[below(FIELDS.length)]
      const record = recordOf(below(2000))
      const wrong = WRONG[below(WRONG.length)]
      const { length, byteLength } = table
      const allocations = below(3) === 0 ? below(12) : Infinity
      // `act` does it to the table, `expect` to the model; `isGood` says whether it must be refused.
      let act
      let expect = () => {}
      let isGood = true
      switch (below(12)) {
        case 0:
          act = () => table.trim()
          break
        case 1: {
          if (length === 0) continue
          const row = below(length)
          const value = below(2) === 0 ? wrong : record[field]
          isGood = accepts(field, value)
          act = () => (table.at(row)[field] = value)
          expect = () => model.set(row, field, value ?? null)
          break
        }
        case 2:
          isGood = accepts(field, wrong)
          act = () => table.push({ ...record, [field]: wrong })
          expect = () => model.push({ ...record, [field]: wrong ?? null })
          break
        case 3:
          isGood = false
          act = () =>
            table.push(Object.defineProperty({ ...record }, field, { get: () => assert.fail('thrown by a getter') }))
          break
        default:
          act = () => table.push(record)
          expect = () => model.push(record)
      }
      try {
        withAllocations(allocations, act)
        assert.ok(isGood, `seed ${seed}, step ${step}: should have been refused`)
        expect()
      } catch (error) {
        if (error.code === 'ERR_ASSERTION' && !/thrown by a getter/.test(error.message)) throw error
        assert.ok(!isGood || ALLOCATION_FAILED.test(error.message), error)
        assert.deepEqual([table.length, table.byteLength], [length, byteLength], `seed ${seed}, step ${step}`)
      }
      assert.equal(table.length, model.rows.length)
      if (step % 50 === 49) {
        assert.deepEqual(table.toJSON(), model.rows, `seed ${seed}, step ${step}`)
        assert.deepEqual(TEXT_FIELDS.map(each => table.texts(each)), model.texts, `seed ${seed}, step ${step}`)
      }
    }
  }
})
