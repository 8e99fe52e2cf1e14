'use strict'

// 24 hex digits from and to three 32-bit words, without a buffer in between.

const HEX_LENGTH = 24

// A code that is no digit gives a negative number.
const DIGIT_OF_CODE = new Int8Array(128).fill(-1)
const CODE_OF_DIGIT = new Uint8Array(16)
for (const [value, digit] of [...'0123456789abcdef'].entries()) {
  CODE_OF_DIGIT[value] = digit.charCodeAt(0)
  DIGIT_OF_CODE[digit.charCodeAt(0)] = value
  DIGIT_OF_CODE[digit.toUpperCase().charCodeAt(0)] = value
}

/**
 * Writes the three words of a text into `words`. False if it is not 24 hex digits.
 *
 * @param {string} text
 * @param {Int32Array} words
 */
function readHex(text, words) {
  if (text.length !== HEX_LENGTH) return false
  // What a negative digit or a code above 127 is or-ed into shows it at the end.
  let digits = 0
  let codes = 0
  for (let word = 0; word < 3; word++) {
    let bits = 0
    for (let i = word * 8, end = i + 8; i < end; i++) {
      const code = text.charCodeAt(i)
      const digit = DIGIT_OF_CODE[code & 0x7f]
      codes |= code
      digits |= digit
      bits = (bits << 4) | digit
    }
    words[word] = bits
  }
  return digits >= 0 && codes < 128
}

/**
 * The text of three words. Made in one call, so it is flat: joined piece by piece it
 * would be a rope, which holds all its pieces.
 *
 * @param {number} a
 * @param {number} b
 * @param {number} c
 * @returns {string}
 */
function writeHex(a, b, c) {
  const code = CODE_OF_DIGIT
  // prettier-ignore
  return String.fromCharCode(
    code[a >>> 28], code[(a >>> 24) & 15], code[(a >>> 20) & 15], code[(a >>> 16) & 15],
    code[(a >>> 12) & 15], code[(a >>> 8) & 15], code[(a >>> 4) & 15], code[a & 15],
    code[b >>> 28], code[(b >>> 24) & 15], code[(b >>> 20) & 15], code[(b >>> 16) & 15],
    code[(b >>> 12) & 15], code[(b >>> 8) & 15], code[(b >>> 4) & 15], code[b & 15],
    code[c >>> 28], code[(c >>> 24) & 15], code[(c >>> 20) & 15], code[(c >>> 16) & 15],
    code[(c >>> 12) & 15], code[(c >>> 8) & 15], code[(c >>> 4) & 15], code[c & 15]
  )
}

module.exports = { readHex, writeHex }
