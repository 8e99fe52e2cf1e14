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

  write(row, value) {
    try {
      if (this.nulls === null) {
        this.column.write(row, value)
        return
      }
      const isNull = value === null || value === undefined
      if (!isNull) this.column.write(row, value)
      this.nulls.write(row, isNull)
    } catch (error) {
      error.message = `field ${this.name}: ${error.message}`
      throw error
    }
  }

  resize(rows) {
    this.column.resize(rows)
    this.nulls?.resize(rows)
  }

  trim(rows) {
    this.resize(rows)
    this.column.trim?.()
  }
}

module.exports = { Field }
