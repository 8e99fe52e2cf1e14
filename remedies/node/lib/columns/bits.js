'use strict'

const { resized } = require('./column.js')

/** One bit for each row: whether it has no value. */
class NullBits {
  constructor() {
    this.bytes = new Uint8Array(0)
  }

  get byteLength() {
    return this.bytes.byteLength
  }

  has(row) {
    return ((this.bytes[row >> 3] >> (row & 7)) & 1) === 1
  }

  write(row, isNull) {
    const at = row >> 3
    const bit = 1 << (row & 7)
    if (isNull) this.bytes[at] |= bit
    else this.bytes[at] &= ~bit
  }

  /** Bytes for `rows` rows, with the same bits as far as they reach; null if these will do. */
  room(rows) {
    const length = bytesFor(rows)
    return length === this.bytes.length ? null : resized(this.bytes, length)
  }
}

/** Unsigned: the sum can be more than 31 bits. */
function bytesFor(rows) {
  return (rows + 7) >>> 3
}

module.exports = { NullBits, bytesFor }
