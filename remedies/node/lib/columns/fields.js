'use strict'

// One field of a table: its column, whether rows may have no value, and how rows read it.

const { NullBits } = require('./bits.js')
const { BooleanColumn, Float64Column, Int32Column, TimestampColumn } = require('./numbers.js')
const { Row } = require('./row.js')
const { StringColumn } = require('./strings.js')

const KINDS = {
  __proto__: null,
  int32: { Column: Int32Column, getter: Row.int32 },
  float64: { Column: Float64Column, getter: Row.float64 },
  timestamp: { Column: TimestampColumn, getter: Row.float64 },
  boolean: { Column: BooleanColumn, getter: Row.boolean },
  string: { Column: StringColumn, getter: Row.string }
}

const RESERVED = new Set(['__proto__', 'constructor', 'toJSON'])

class Field {
  constructor(name, type) {
    const { type: kind, nullable = false } = typeof type === 'string' ? { type } : type
    if (RESERVED.has(name)) throw new TypeError(`a field cannot be called ${name}`)
    if (!(kind in KINDS)) {
      throw new TypeError(`field ${name} is ${String(kind)}, not one of ${Object.keys(KINDS).join(', ')}`)
    }
    this.name = name
    this.column = new KINDS[kind].Column()
    this.nulls = nullable ? new NullBits() : null
    this.getter = nullable ? Row.nullable(this.column, this.nulls) : KINDS[kind].getter(this.column)
  }

  get byteLength() {
    return this.column.byteLength + (this.nulls?.byteLength ?? 0)
  }

  /** What is to be stored for a value: null for none. Throws if it does not fit, and changes nothing. */
  keep(value) {
    if (this.nulls !== null && (value === null || value === undefined)) return null
    const kept = this.column.keep(value)
    if (kept === undefined) throw this.#refusal(value)
    return kept
  }

  /** The larger arrays that this field needs for `rows` rows and what was kept of a value; null if it needs none. */
  room(rows, kept) {
    const values = this.column.room(rows, kept)
    const bytes = this.nulls === null ? null : this.nulls.room(rows)
    return values === null && bytes === null ? null : { values, bytes }
  }

  /** Takes over what `room` made. */
  adopt({ values, bytes }) {
    if (values !== null) this.column.values = values
    if (bytes !== null) this.nulls.bytes = bytes
  }

  /** Stores what was kept of a value. There must be room. */
  write(row, kept) {
    if (kept !== null) this.column.write(row, kept)
    if (this.nulls !== null) this.nulls.write(row, kept === null)
  }

  /** Replaces the value of a row that is there. */
  set(row, value) {
    const kept = this.keep(value)
    const room = this.room(this.column.values.length, kept)
    if (room !== null) this.adopt(room)
    this.write(row, kept)
  }

  #refusal(value) {
    const { expected, Refusal } = this.column.constructor
    return new Refusal(`field ${this.name}: expected ${expected}, not ${shown(value)}`)
  }
}

/** A value in a message. Nothing of its own is called: that could throw, or write to the table. */
function shown(value) {
  if (Object.is(value, -0)) return '-0'
  if (typeof value === 'function') return 'a function'
  if (typeof value !== 'object' || value === null) return String(value)
  return value instanceof Date ? 'an invalid Date' : 'an object'
}

module.exports = { Field }
