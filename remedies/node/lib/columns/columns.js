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

  /** @param {Record<string, string | { type: string, nullable?: boolean }>} schema */
  constructor(schema) {
    this.#fields = Object.entries(schema).map(([name, type]) => new Field(name, type))
    if (this.#fields.length === 0) throw new TypeError('a table needs at least one field')
    this.#Row = makeRowClass()
    for (const field of this.#fields) {
      Object.defineProperty(this.#Row.prototype, field.name, {
        get: field.getter,
        set: Row.setter((row, value) => field.write(row, value)),
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

  /** Adds a record, and gives the new length. A record that does not fit changes nothing. */
  push(record) {
    const row = this.#length
    if (row === this.#capacity) this.#reserve(Math.max(FIRST_CAPACITY, row * 2))
    for (const field of this.#fields) field.write(row, record[field.name])
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
    const { column } = this.#field(name)
    return (column.values ?? column.codes).subarray(0, this.#length)
  }

  /** The distinct texts of a field, by code. */
  texts(name) {
    const { texts } = this.#field(name).column
    if (texts === undefined) throw new TypeError(`field ${name} has no texts`)
    return texts.slice()
  }

  /** Gives back the room kept for more rows. Rows can still be added. */
  trim() {
    for (const field of this.#fields) field.trim(this.#length)
    this.#capacity = this.#length
    return this
  }

  forEach(callback) {
    for (let row = 0; row < this.#length; row++) callback(new this.#Row(row), row, this)
  }

  [Symbol.iterator]() {
    return new RowIterator(this, this.#Row)
  }

  /** The rows as plain objects. */
  toJSON() {
    return Array.from(this, row => row.toJSON())
  }

  #reserve(rows) {
    if (this.#length === MAX_ROWS) throw new RangeError(`a table has at most ${MAX_ROWS} rows`)
    this.#capacity = Math.min(rows, MAX_ROWS)
    for (const field of this.#fields) field.resize(this.#capacity)
  }

  #field(name) {
    const field = this.#fields.find(each => each.name === name)
    if (field === undefined) throw new TypeError(`there is no field ${String(name)}`)
    return field
  }
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
