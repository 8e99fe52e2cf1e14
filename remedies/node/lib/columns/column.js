'use strict'

/**
 * What all columns share: a typed array with a value for each row, and room for more.
 *
 * A value passes through three steps. `keep` checks it and gives what is to be stored, or
 * undefined if the column cannot hold it. `room` makes a larger array if one is needed.
 * `write` stores. Only the first two can fail, and neither changes the column, so a table can
 * go through them for all columns before it writes to the first.
 */
class Column {
  /** What `keep` accepts, for error messages. */
  static expected = 'a value'
  /** The class of the error when `keep` refuses. */
  static Refusal = TypeError

  constructor(TypedArray) {
    this.values = new TypedArray(0)
  }

  get byteLength() {
    return this.values.byteLength
  }

  /** An array for `rows` rows with the same values, as far as they reach; null if the column's own will do. */
  room(rows) {
    return rows === this.values.length ? null : resized(this.values, rows)
  }

  /** Drops what only writing needs. */
  trim() {}
}

/** A typed array of another length (and another type, if given) with the same values, as far as they reach. */
function resized(values, length, TypedArray = values.constructor) {
  const result = new TypedArray(length)
  result.set(length < values.length ? values.subarray(0, length) : values)
  return result
}

module.exports = { Column, resized }
