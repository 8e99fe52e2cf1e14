'use strict'

// 32-bit words from and to bytes, the highest first. No DataView: it would be an
// allocation for each id.

const ID_BYTES = 12

/**
 * @param {Uint8Array} bytes
 * @param {number} at
 * @returns {number} a signed integer of 32 bits, which V8 keeps in the slot itself
 */
function readWord(bytes, at) {
  return (bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3]
}

/**
 * @param {Uint8Array} bytes
 * @param {number} at
 * @param {number} word
 */
function writeWord(bytes, at, word) {
  bytes[at] = word >>> 24
  bytes[at + 1] = word >>> 16
  bytes[at + 2] = word >>> 8
  bytes[at + 3] = word
}

/**
 * The same bytes as a Uint8Array, whatever kind of view they come in.
 *
 * @param {ArrayBufferView} view
 * @returns {Uint8Array}
 */
function toBytes(view) {
  if (view instanceof Uint8Array) return view
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength)
}

module.exports = { ID_BYTES, readWord, writeWord, toBytes }
