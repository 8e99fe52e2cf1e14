'use strict'

const { ObjectIdBehaviour } = require('./behaviour.js')
const { ID_BYTES, readWord, toBytes, writeWord } = require('./bytes.js')
const { bsonError } = require('./bson.js')
const { readHex, writeHex } = require('./hex.js')
const { cache, cachedText, forgetText } = require('./hex-cache.js')
const { readComparable, readInput, scratch } = require('./input.js')
const { currentPool, getPoolSize, setPoolSize, standsAlone, takeSlot } = require('./pool.js')
const { defineStatics } = require('./statics.js')

const NOT_TWELVE = `an id has ${ID_BYTES} bytes`

// Half the time of `defineProperty`, which would read a descriptor for each id.
const { __defineGetter__: defineGetter } = Object.prototype

// Until there is a pooled id, none needs to be asked whether it is one: it takes longer to
// find that a private field is not there than all of `serializeInto`.
let isPoolUsed = false

/**
 * An ObjectId whose 12 bytes lie in an array shared with others: 40 bytes, and 12 in the pool.
 *
 * Where they lie is private. What can be seen of an id, by whatever compares or copies
 * objects field by field, is `buffer`: its bytes. It takes no room, as it is a getter
 * that all ids share, but it takes time to give it to each id.
 *
 * One living id keeps its whole pool. With a `poolSize` of 1 there is none: an id is
 * what it is in bson 6, an object with a buffer.
 */
class PooledObjectId extends ObjectIdBehaviour {
  /** How many ids share an array, from the next one on. 1 gives each its own. */
  static get poolSize() {
    return getPoolSize()
  }

  static set poolSize(size) {
    setPoolSize(size)
  }

  /** @type {Buffer} */
  #pool
  /** @type {number} */
  #offset

  constructor(input) {
    if (getPoolSize() === 1 && new.target === PooledObjectId) {
      const bytes = PooledObjectId.#bytesAlone(input)
      if (bytes !== null) return new AloneObjectId(bytes)
    }
    super()
    let word0
    let word1
    let word2
    if (input instanceof Uint8Array && input.length === ID_BYTES) {
      word0 = readWord(input, 0)
      word1 = readWord(input, 4)
      word2 = readWord(input, 8)
    } else {
      // May throw, and must do so before a slot is taken.
      PooledObjectId.#read(input)
      word0 = scratch[0]
      word1 = scratch[1]
      word2 = scratch[2]
    }
    isPoolUsed = true
    const pool = currentPool()
    const offset = takeSlot()
    writeWord(pool, offset, word0)
    writeWord(pool, offset + 4, word1)
    writeWord(pool, offset + 8, word2)
    this.#pool = pool
    this.#offset = offset
    defineGetter.call(this, 'buffer', PooledObjectId.#copyBytes)
  }

  /** The bytes themselves: writing to them changes the id, as with bson up to 7.3.1. */
  get id() {
    if (isPoolUsed && #pool in this) return this.#pool.subarray(this.#offset, this.#offset + ID_BYTES)
    return this.buffer
  }

  set id(view) {
    if (!ArrayBuffer.isView(view) || view.byteLength !== ID_BYTES) throw bsonError(NOT_TWELVE)
    if (isPoolUsed && #pool in this) this.#pool.set(toBytes(view), this.#offset)
    else this.buffer = view
    forgetText(this)
  }

  toHexString() {
    return cache.isOn ? cachedText(this, PooledObjectId.#writeText) : PooledObjectId.#writeText.call(this)
  }

  equals(other) {
    if (!(other instanceof PooledObjectId)) {
      if (!readComparable(other)) return false
      const bytes = PooledObjectId.#bytesOf(this)
      const at = PooledObjectId.#offsetOf(this)
      return (
        readWord(bytes, at + 8) === scratch[2] &&
        readWord(bytes, at + 4) === scratch[1] &&
        readWord(bytes, at) === scratch[0]
      )
    }
    const bytes = PooledObjectId.#bytesOf(this)
    const at = PooledObjectId.#offsetOf(this)
    const others = PooledObjectId.#bytesOf(other)
    const otherAt = PooledObjectId.#offsetOf(other)
    // The last bytes count up: they differ most often.
    for (let i = ID_BYTES - 1; i >= 0; i--) {
      if (bytes[at + i] !== others[otherAt + i]) return false
    }
    return true
  }

  getTimestamp() {
    return new Date((readWord(PooledObjectId.#bytesOf(this), PooledObjectId.#offsetOf(this)) >>> 0) * 1000)
  }

  /** Writes the bytes at `at`, and says how many they are. This is what bson's serializer calls. */
  serializeInto(target, at) {
    const bytes = PooledObjectId.#bytesOf(this)
    const from = PooledObjectId.#offsetOf(this)
    target[at] = bytes[from]
    target[at + 1] = bytes[from + 1]
    target[at + 2] = bytes[from + 2]
    target[at + 3] = bytes[from + 3]
    target[at + 4] = bytes[from + 4]
    target[at + 5] = bytes[from + 5]
    target[at + 6] = bytes[from + 6]
    target[at + 7] = bytes[from + 7]
    target[at + 8] = bytes[from + 8]
    target[at + 9] = bytes[from + 9]
    target[at + 10] = bytes[from + 10]
    target[at + 11] = bytes[from + 11]
    return ID_BYTES
  }

  static #bytesOf(id) {
    return isPoolUsed && #pool in id ? id.#pool : id.buffer
  }

  static #offsetOf(id) {
    return isPoolUsed && #pool in id ? id.#offset : 0
  }

  /** The getter `buffer` of each pooled id: a copy, with no more behind it than its 12 bytes. */
  static #copyBytes() {
    return Buffer.alloc(ID_BYTES, this.id)
  }

  static #writeText() {
    const bytes = PooledObjectId.#bytesOf(this)
    const at = PooledObjectId.#offsetOf(this)
    return writeHex(readWord(bytes, at), readWord(bytes, at + 4), readWord(bytes, at + 8))
  }

  /** The words of whatever an id can be made from, into `scratch`. */
  static #read(input) {
    if (input instanceof PooledObjectId) {
      const bytes = PooledObjectId.#bytesOf(input)
      const at = PooledObjectId.#offsetOf(input)
      for (let word = 0; word < 3; word++) scratch[word] = readWord(bytes, at + word * 4)
    } else if (typeof input !== 'string' || !readHex(input, scratch)) {
      readInput(input)
    }
  }

  /** The bytes of an id that is not pooled: those given, if it is bytes. Null if a pool was begun. */
  static #bytesAlone(input) {
    if (ArrayBuffer.isView(input) && input.byteLength === ID_BYTES) {
      return Buffer.isBuffer(input) ? input : Buffer.from(input.buffer, input.byteOffset, ID_BYTES)
    }
    if (!standsAlone()) return null
    PooledObjectId.#read(input)
    const bytes = Buffer.allocUnsafe(ID_BYTES)
    writeWord(bytes, 0, scratch[0])
    writeWord(bytes, 4, scratch[1])
    writeWord(bytes, 8, scratch[2])
    return bytes
  }
}

/** An id with a `poolSize` of 1. Its own constructor, as V8 gives all objects of one the same room. */
const AloneObjectId = function PooledObjectId(bytes) {
  this.buffer = bytes
}
AloneObjectId.prototype = PooledObjectId.prototype

defineStatics(PooledObjectId)

module.exports = { PooledObjectId }
