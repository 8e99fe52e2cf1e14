'use strict'

// What an id can be made from, beside what the classes take by themselves: anything
// with an `id` of hex or bytes, bson's own ids among them.

const { ID_BYTES, readWord, toBytes } = require('./bytes.js')
const { readHex } = require('./hex.js')
const { generateWords } = require('./generate.js')
const { bsonError, bsonMajor } = require('./bson.js')

const NOT_HEX = 'an ObjectId needs text of 24 hex digits'
const NOT_AN_ID = 'an ObjectId is made from 24 hex digits, 12 bytes or another id'
const NOT_A_TIME = 'bson 7 makes no ObjectId from a number: use createFromTime'
const BAD_ID_FIELD = "what an ObjectId is made from must have 12 bytes or 24 hex digits in its field 'id'"

/** Where words are put on their way into an id. */
const scratch = new Int32Array(3)

/**
 * Writes the words of whatever an id can be made from into `scratch`, or throws.
 *
 * @param {unknown} input
 */
function readInput(input) {
  if (input === undefined || input === null) {
    generateWords(scratch)
    return
  }
  if (typeof input === 'number') {
    if (!takesNumbers()) throw bsonError(NOT_A_TIME)
    generateWords(scratch, input)
    return
  }
  if (typeof input === 'string') {
    readText(input)
    return
  }
  if (typeof input !== 'object') throw bsonError(NOT_AN_ID)
  if (!('id' in input)) {
    readView(input)
    return
  }
  const { id } = input
  if (typeof id !== 'string' && !ArrayBuffer.isView(id)) throw bsonError(BAD_ID_FIELD)
  // bson's own ids: their bytes are there, and their text would have to be made first.
  if (input._bsontype === 'ObjectId' && id instanceof Uint8Array && id.length === ID_BYTES) readView(id)
  else if (typeof input.toHexString === 'function') readText(input.toHexString())
  else if (typeof id === 'string') readText(id)
  else readView(id)
}

function readText(text) {
  if (typeof text !== 'string' || !(readHex(text, scratch) || readTwelve(text, 'utf8'))) throw bsonError(NOT_HEX)
}

/** bson 5 also takes texts of 12 characters, as long as they are 12 bytes. */
function readTwelve(text, encoding) {
  if (bsonMajor() > 5 || text.length !== ID_BYTES || Buffer.byteLength(text) !== ID_BYTES) return false
  readView(Buffer.from(text, encoding))
  return true
}

/** An id of a time: bson up to 6 makes them from numbers. */
function takesNumbers() {
  return bsonMajor() < 7
}

function readView(view) {
  if (!ArrayBuffer.isView(view) || view.byteLength !== ID_BYTES) throw bsonError(NOT_AN_ID)
  const bytes = toBytes(view)
  scratch[0] = readWord(bytes, 0)
  scratch[1] = readWord(bytes, 4)
  scratch[2] = readWord(bytes, 8)
}

/**
 * Writes what an id is compared with into `scratch`. False if it cannot be equal to any id.
 *
 * @param {unknown} other
 */
function readComparable(other) {
  if (typeof other === 'string') return readHex(other, scratch) || readTwelve(other, 'latin1')
  if (typeof other !== 'object' || other === null) return false
  // bson 6 compares the bytes of whatever says that it is an id.
  if (other._bsontype === 'ObjectId' && bsonMajor() > 5) {
    const bytes = other.buffer
    if (bytes instanceof Uint8Array && bytes.length === ID_BYTES) {
      readView(bytes)
      return true
    }
  }
  if (typeof other.toHexString !== 'function') return false
  const text = other.toHexString()
  return typeof text === 'string' && readHex(text, scratch)
}

/** True if an id can be made from `input`; nothing and null do not count. */
function isReadable(input) {
  if (input === undefined || input === null) return false
  if (typeof input === 'number') return takesNumbers()
  try {
    readInput(input)
    return true
  } catch {
    return false
  }
}

module.exports = { scratch, readInput, readComparable, isReadable }
