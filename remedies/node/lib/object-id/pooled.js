'use strict'

const { ObjectIdBehaviour } = require('./behaviour.js')
const { ID_BYTES, readWord, toBytes, writeWord } = require('./bytes.js')
const { bsonError } = require('./bson.js')
const { readHex, writeHex } = require('./hex.js')
const { readComparable, readInput, scratch } = require('./input.js')
const { currentPool, getPoolSize, setPoolSize, takeSlot } = require('./pool.js')
const { defineStatics } = require('./statics.js')

/**
 * An ObjectId whose 12 bytes lie in an array shared with others: 40 bytes, and 12 in the pool.
 *
 * One living id keeps its whole pool. Two equal ids lie at different offsets, so
 * `equals` must be asked whether they are: field by field they differ.
 */
class PooledObjectId extends ObjectIdBehaviour {
  /** How many ids share an array, for ids made from now on. 1 gives each its own. */
  static get poolSize() {
    return getPoolSize()
  }

  static set poolSize(size) {
    setPoolSize(size)
  }

  constructor(input) {
    super()
    if (typeof input === 'string' && readHex(input, scratch)) {
      const pool = (this.pool = currentPool())
      const offset = (this.offset = takeSlot())
      pool[offset] = scratch[0]
      pool[offset + 1] = scratch[1]
      pool[offset + 2] = scratch[2]
    } else if (input instanceof Uint8Array && input.length === ID_BYTES) {
      const pool = (this.pool = currentPool())
      const offset = (this.offset = takeSlot())
      pool[offset] = readWord(input, 0)
      pool[offset + 1] = readWord(input, 4)
      pool[offset + 2] = readWord(input, 8)
    } else {
      // May throw, and must do so before a slot is taken.
      if (input instanceof PooledObjectId) readPooled(input)
      else readInput(input)
      const pool = (this.pool = currentPool())
      const offset = (this.offset = takeSlot())
      pool[offset] = scratch[0]
      pool[offset + 1] = scratch[1]
      pool[offset + 2] = scratch[2]
    }
  }

  /** The bytes, as a new buffer: writing to it does not change the id. */
  get id() {
    const bytes = Buffer.allocUnsafe(ID_BYTES)
    this.serializeInto(bytes, 0)
    return bytes
  }

  set id(view) {
    if (!ArrayBuffer.isView(view) || view.byteLength !== ID_BYTES) throw bsonError(`an id has ${ID_BYTES} bytes`)
    const bytes = toBytes(view)
    const { pool, offset } = this
    for (let word = 0; word < 3; word++) pool[offset + word] = readWord(bytes, word * 4)
  }

  toHexString() {
    const { pool, offset } = this
    return writeHex(pool[offset], pool[offset + 1], pool[offset + 2])
  }

  equals(other) {
    const { pool, offset } = this
    if (other instanceof PooledObjectId) {
      const otherPool = other.pool
      const otherOffset = other.offset
      return (
        pool[offset + 2] === otherPool[otherOffset + 2] &&
        pool[offset + 1] === otherPool[otherOffset + 1] &&
        pool[offset] === otherPool[otherOffset]
      )
    }
    return (
      readComparable(other) &&
      pool[offset + 2] === scratch[2] &&
      pool[offset + 1] === scratch[1] &&
      pool[offset] === scratch[0]
    )
  }

  getTimestamp() {
    return new Date((this.pool[this.offset] >>> 0) * 1000)
  }

  /** Writes the bytes at `at`, and says how many they are. This is what bson's serializer calls. */
  serializeInto(bytes, at) {
    const { pool, offset } = this
    writeWord(bytes, at, pool[offset])
    writeWord(bytes, at + 4, pool[offset + 1])
    writeWord(bytes, at + 8, pool[offset + 2])
    return ID_BYTES
  }
}

function readPooled({ pool, offset }) {
  scratch[0] = pool[offset]
  scratch[1] = pool[offset + 1]
  scratch[2] = pool[offset + 2]
}

defineStatics(PooledObjectId)

module.exports = { PooledObjectId }
