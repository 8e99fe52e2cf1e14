'use strict'

// A row looks like an object with the table's fields. It holds only its number; each
// table has a class of its own, whose accessors read that table's columns.

const { inspect } = require('node:util')

// A symbol, not a private field: those are slower to set in a derived class.
const INDEX = Symbol('index')

class Row {
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
      return column.values[this[INDEX]]
    }
  }

  static float64(column) {
    return function () {
      return column.values[this[INDEX]]
    }
  }

  static boolean(column) {
    return function () {
      return column.values[this[INDEX]] === 1
    }
  }

  static string(column) {
    return function () {
      return column.texts[column.values[this[INDEX]]]
    }
  }

  static nullable(column, nulls) {
    return function () {
      return nulls.has(this[INDEX]) ? null : column.read(this[INDEX])
    }
  }

  static setter(write) {
    return function (value) {
      write(this[INDEX], value)
    }
  }
}

/** A class of rows for one table. Without a base class, whose constructor would take most of the time. */
function makeRowClass() {
  class TableRow {
    constructor(index) {
      this[INDEX] = index
    }
  }
  Object.setPrototypeOf(TableRow.prototype, Row.prototype)
  return TableRow
}

/** The values of a row as a plain object. */
function toObject(row) {
  const object = {}
  // The accessors are enumerable, but not the row's own.
  for (const field in row) object[field] = row[field]
  return object
}

module.exports = { Row, makeRowClass }
