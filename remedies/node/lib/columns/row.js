'use strict'

// A row looks like an object with the table's fields. It holds only its number; each
// table has a class of its own, whose accessors read that table's columns.

const { inspect } = require('node:util')

class Row {
  #row

  constructor(row) {
    this.#row = row
  }

  toJSON() {
    return toObject(this)
  }

  [inspect.custom](depth, options, inspectValue) {
    return inspectValue(toObject(this), options)
  }

  // The accessors are made by one function for each kind of column. V8 gathers what it
  // sees per function: if one read all kinds, none of them would be fast.

  static int32(column) {
    return function () {
      return column.values[this.#row]
    }
  }

  static float64(column) {
    return function () {
      return column.values[this.#row]
    }
  }

  static boolean(column) {
    return function () {
      return column.values[this.#row] === 1
    }
  }

  static string(column) {
    return function () {
      return column.texts[column.codes[this.#row]]
    }
  }

  static nullable(column, nulls) {
    return function () {
      return nulls.has(this.#row) ? null : column.read(this.#row)
    }
  }

  static setter(write) {
    return function (value) {
      write(this.#row, value)
    }
  }
}

/** The values of a row as a plain object. */
function toObject(row) {
  const object = {}
  // The accessors are enumerable, but not the row's own.
  for (const field in row) object[field] = row[field]
  return object
}

module.exports = { Row }
