'use strict'

// Columns of numbers. A column has `write(row, value)`, which checks the value, and
// `getter()` for rows to read with; rows past the table's length are room to grow.

const { grown } = require('./grow.js')

/** Whole numbers of 32 bits. */
class Int32Column {
  constructor() {
    this.values = new Int32Array(0)
  }

  get byteLength() {
    return this.values.byteLength
  }

  read(row) {
    return this.values[row]
  }

  write(row, value) {
    if ((value | 0) !== value) throw new RangeError(`expected a whole number of 32 bits, not ${String(value)}`)
    this.values[row] = value
  }

  resize(rows) {
    this.values = grown(this.values, rows)
  }
}

/** Any numbers. */
class Float64Column {
  constructor() {
    this.values = new Float64Array(0)
  }

  get byteLength() {
    return this.values.byteLength
  }

  read(row) {
    return this.values[row]
  }

  write(row, value) {
    if (typeof value !== 'number') throw new TypeError(`expected a number, not ${String(value)}`)
    this.values[row] = value
  }

  resize(rows) {
    this.values = grown(this.values, rows)
  }
}

const LATEST_MS = 8.64e15

/** Points in time: taken as Date or milliseconds since 1970, read as milliseconds. */
class TimestampColumn extends Float64Column {
  write(row, value) {
    const ms = value instanceof Date ? value.getTime() : value
    // Written so that NaN is refused too.
    if (typeof ms !== 'number' || !(Math.abs(ms) <= LATEST_MS)) {
      throw new TypeError(`expected a valid Date or milliseconds since 1970, not ${String(value)}`)
    }
    this.values[row] = ms
  }
}

/** True or false, a byte each. */
class BooleanColumn {
  constructor() {
    this.values = new Uint8Array(0)
  }

  get byteLength() {
    return this.values.byteLength
  }

  read(row) {
    return this.values[row] === 1
  }

  write(row, value) {
    if (typeof value !== 'boolean') throw new TypeError(`expected true or false, not ${String(value)}`)
    this.values[row] = value ? 1 : 0
  }

  resize(rows) {
    this.values = grown(this.values, rows)
  }
}

module.exports = { Int32Column, Float64Column, TimestampColumn, BooleanColumn }
