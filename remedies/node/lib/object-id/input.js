'use strict'

// What an id can be made from, beside what the classes take by themselves: anything
// with an `id` of hex or bytes, bson's own ids among them.

const { ID_BYTES, readWord, toBytes } = require('./bytes.js')
const { readHex } = require('./hex.js')
const { generateWords } = require('./generate.js')
const { bsonError } = require('./bson.js')

const NOT_HEX = 'an ObjectId needs text of 24 hex digits'
const NOT_AN_ID = 'an ObjectId is made from 24 hex digits, 12 bytes, a time in seconds or another id'
const BAD_ID_FIELD = "what an ObjectId is made from must have 12 bytes or 24 hex digits in its field 'id'"

/** Where words are put on their way into an id. */
const scratch = new Int32Array(3)

/**
 * Writes the words of whatever an id can be made from into `scratch`, or throws.
 *
 * @param {unknown} input
 */
function readInput(input) {
  if (input === undefined || input === null || typeof input === 'number') {
    generateWords(scratch, /** @type {number | undefined} */ (input))
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
  if (typeof input.toHexString === 'function') readText(input.toHexString())
  else if (typeof id === 'string') readText(id)
  else readView(id)
}

function readText(text) {
  if (typeof text !== 'string' || !readHex(text, scratch)) throw bsonError(NOT_HEX)
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
  if (typeof other === 'string') return readHex(other, scratch)
  if (typeof other !== 'object' || other === null || typeof other.toHexString !== 'function') return false
  const text = other.toHexString()
  return typeof text === 'string' && readHex(text, scratch)
}

/** True if an id can be made from `input`; nothing and null do not count. */
function isReadable(input) {
  if (input === undefined || input === null) return false
  if (typeof input === 'number') return true
  if (typeof input === 'string') return readHex(input, scratch)
  try {
    readInput(input)
    return true
  } catch {
    return false
  }
}

module.exports = { scratch, readInput, readComparable, isReadable }
