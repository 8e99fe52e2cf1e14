'use strict'

const { Column } = require('./column.js')

/** Whole numbers of 32 bits. There is no negative zero among them. */
class Int32Column extends Column {
  static expected = 'a whole number of 32 bits'
  static Refusal = RangeError

  constructor() {
    super(Int32Array)
  }

  keep(value) {
    return typeof value === 'number' && Object.is(value | 0, value) ? value : undefined
  }

  read(row) {
    return this.values[row]
  }

  write(row, kept) {
    this.values[row] = kept
  }
}

/** Any numbers. */
class Float64Column extends Column {
  static expected = 'a number'

  constructor() {
    super(Float64Array)
  }

  keep(value) {
    return typeof value === 'number' ? value : undefined
  }

  read(row) {
    return this.values[row]
  }

  write(row, kept) {
    this.values[row] = kept
  }
}

const LATEST_MS = 8.64e15

/** Points in time: taken as Date or milliseconds since 1970, read as milliseconds. */
class TimestampColumn extends Float64Column {
  static expected = 'a valid Date or milliseconds since 1970'

  keep(value) {
    const ms = value instanceof Date ? value.getTime() : value
    // NaN is within no bounds.
    return typeof ms === 'number' && Math.abs(ms) <= LATEST_MS ? ms : undefined
  }
}

/** True or false, a byte each. */
class BooleanColumn extends Column {
  static expected = 'true or false'

  constructor() {
    super(Uint8Array)
  }

  keep(value) {
    return typeof value === 'boolean' ? value : undefined
  }

  read(row) {
    return this.values[row] === 1
  }

  write(row, kept) {
    this.values[row] = kept ? 1 : 0
  }
}

module.exports = { Int32Column, Float64Column, TimestampColumn, BooleanColumn }
