'use strict'

const { ObjectIdBehaviour } = require('./behaviour.js')
const { ID_BYTES, readWord, toBytes } = require('./bytes.js')
const { bsonError } = require('./bson.js')
const { readHex, writeHex } = require('./hex.js')
const { cache, cachedText, forgetText } = require('./hex-cache.js')
const { readComparable, readInput, scratch } = require('./input.js')
const { defineStatics } = require('./statics.js')

/**
 * An ObjectId whose 12 bytes are three integers in its fields: 48 bytes, and no buffer.
 *
 * The integers are signed and of 32 bits, which V8 keeps in the fields themselves as
 * long as it does not compress pointers. They are ordinary fields, so that whatever
 * compares or copies objects field by field does the right thing.
 */
class PackedObjectId extends ObjectIdBehaviour {
  constructor(input) {
    super()
    if (typeof input === 'string' && readHex(input, scratch)) {
      this.word0 = scratch[0]
      this.word1 = scratch[1]
      this.word2 = scratch[2]
    } else if (input instanceof Uint8Array && input.length === ID_BYTES) {
      this.word0 = readWord(input, 0)
      this.word1 = readWord(input, 4)
      this.word2 = readWord(input, 8)
    } else if (input instanceof PackedObjectId) {
      this.word0 = input.word0
      this.word1 = input.word1
      this.word2 = input.word2
    } else {
      readInput(input)
      this.word0 = scratch[0]
      this.word1 = scratch[1]
      this.word2 = scratch[2]
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
    this.word0 = readWord(bytes, 0)
    this.word1 = readWord(bytes, 4)
    this.word2 = readWord(bytes, 8)
    forgetText(this)
  }

  /** The bytes under the name by which bson 6 compares its own ids with others. */
  get buffer() {
    return this.id
  }

  toHexString() {
    return cache.isOn ? cachedText(this, writeText) : writeText.call(this)
  }

  equals(other) {
    if (other instanceof PackedObjectId) {
      return this.word2 === other.word2 && this.word1 === other.word1 && this.word0 === other.word0
    }
    return (
      readComparable(other) && this.word2 === scratch[2] && this.word1 === scratch[1] && this.word0 === scratch[0]
    )
  }

  getTimestamp() {
    return new Date((this.word0 >>> 0) * 1000)
  }

  /** Writes the bytes at `at`, and says how many they are. This is what bson's serializer calls. */
  serializeInto(bytes, at) {
    const word0 = this.word0
    const word1 = this.word1
    const word2 = this.word2
    bytes[at] = word0 >>> 24
    bytes[at + 1] = (word0 >>> 16) & 0xff
    bytes[at + 2] = (word0 >>> 8) & 0xff
    bytes[at + 3] = word0 & 0xff
    bytes[at + 4] = word1 >>> 24
    bytes[at + 5] = (word1 >>> 16) & 0xff
    bytes[at + 6] = (word1 >>> 8) & 0xff
    bytes[at + 7] = word1 & 0xff
    bytes[at + 8] = word2 >>> 24
    bytes[at + 9] = (word2 >>> 16) & 0xff
    bytes[at + 10] = (word2 >>> 8) & 0xff
    bytes[at + 11] = word2 & 0xff
    return ID_BYTES
  }
}

function writeText() {
  return writeHex(this.word0, this.word1, this.word2)
}

defineStatics(PackedObjectId)

module.exports = { PackedObjectId }
