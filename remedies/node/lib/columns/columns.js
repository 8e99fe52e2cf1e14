'use strict'

const { Field } = require('./fields.js')
const { Row, makeRowClass } = require('./row.js')

const FIRST_CAPACITY = 64
const MAX_ROWS = 2 ** 31 - 1

/**
 * A table of records, kept field by field in typed arrays and read as if it were a list
 * of objects.
 *
 *     const orders = new Columns({ id: 'int32', price: 'float64', city: 'string' })
 *     orders.push({ id: 1, price: 9.5, city: 'Bergen' })
 *     for (const order of orders) console.log(order.city)
 */
class Columns {
  #fields
  #Row
  #length = 0
  #capacity = 0
  /** Copied for what is kept of a record: V8 would convert an empty array again and again as values come. */
  #blank

  /** @param {Record<string, string | { type: string, nullable?: boolean }>} schema */
  constructor(schema) {
    this.#fields = Object.entries(schema).map(([name, type]) => new Field(name, type))
    if (this.#fields.length === 0) throw new TypeError('a table needs at least one field')
    this.#blank = this.#fields.map(() => null)
    this.#Row = makeRowClass()
    for (const field of this.#fields) {
      Object.defineProperty(this.#Row.prototype, field.name, {
        get: field.getter,
        set: Row.setter((row, value) => field.set(row, value)),
        enumerable: true
      })
    }
  }

  get length() {
    return this.#length
  }

  /** Bytes of the typed arrays, with the room kept for more rows. */
  get byteLength() {
    return this.#fields.reduce((sum, field) => sum + field.byteLength, 0)
  }

  /**
   * Adds a record, and gives the new length. A record that does not fit, or for which there
   * is no memory, changes nothing.
   */
  push(record) {
    // The record's getters and its dates' methods can be anyone's code, which may throw or add
    // rows itself. So all of them run before this row gets its place.
    const fields = this.#fields
    const kept = this.#blank.slice()
    let hasNewText = false
    for (let i = 0; i < fields.length; i++) {
      const field = fields[i]
      const value = field.keep(record[field.name])
      kept[i] = value
      if (typeof value === 'string') hasNewText = true
    }
    const row = this.#length
    if (row === this.#capacity) this.#makeRoom(capacityAfter(row), kept)
    else if (hasNewText) this.#makeRoom(this.#capacity, kept)
    for (let i = 0; i < fields.length; i++) fields[i].write(row, kept[i])
    return (this.#length = row + 1)
  }

  /** The row at an index, counted from the end if it is negative. Undefined where there is none. */
  at(index) {
    const row = index < 0 ? this.#length + index : index
    return Number.isInteger(row) && row >= 0 && row < this.#length ? new this.#Row(row) : undefined
  }

  /**
   * The raw values of a field, to run over at full speed: a view, until rows are added.
   * For texts these are codes; see `texts`.
   */
  values(name) {
    return this.#field(name).column.values.subarray(0, this.#length)
  }

  /** The distinct texts of a field, by code. */
  texts(name) {
    const { texts } = this.#field(name).column
    if (texts === undefined) throw new TypeError(`field ${name} has no texts`)
    return texts.slice()
  }

  /** Gives back the room kept for more rows. Rows can still be added. */
  trim() {
    this.#makeRoom(this.#length, this.#blank)
    for (const field of this.#fields) field.column.trim()
    return this
  }

  forEach(callback) {
    const rows = this.#length // as of an array's: not those that the callback adds
    for (let row = 0; row < rows; row++) callback(new this.#Row(row), row, this)
  }

  [Symbol.iterator]() {
    return new RowIterator(this, this.#Row)
  }

  /** The rows as plain objects. */
  toJSON() {
    return Array.from(this, row => row.toJSON())
  }

  /** All arrays are made before the first is taken over: if one cannot be made, none is. */
  #makeRoom(rows, kept) {
    let rooms = null
    for (let i = 0; i < kept.length; i++) {
      const room = this.#fields[i].room(rows, kept[i])
      if (room !== null) (rooms ??= new Map()).set(this.#fields[i], room)
    }
    if (rooms !== null) for (const [field, room] of rooms) field.adopt(room)
    this.#capacity = rows
  }

  #field(name) {
    const field = this.#fields.find(each => each.name === name)
    if (field === undefined) throw new TypeError(`there is no field ${String(name)}`)
    return field
  }
}

/** How many rows to make room for once there are `rows`. */
function capacityAfter(rows) {
  if (rows === MAX_ROWS) throw new RangeError(`a table has at most ${MAX_ROWS} rows`)
  return Math.min(Math.max(FIRST_CAPACITY, rows * 2), MAX_ROWS)
}

/** Each row is an object of its own, so that it can be kept. */
class RowIterator {
  #table
  #Row
  #next = 0

  constructor(table, Row) {
    this.#table = table
    this.#Row = Row
  }

  next() {
    if (this.#next >= this.#table.length) return { value: undefined, done: true }
    return { value: new this.#Row(this.#next++), done: false }
  }

  [Symbol.iterator]() {
    return this
  }
}

module.exports = { Columns }
