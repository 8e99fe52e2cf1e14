'use strict'

const { grown } = require('./grow.js')

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

  resize(rows) {
    this.bytes = grown(this.bytes, (rows + 7) >> 3)
  }
}

module.exports = { NullBits }
