'use strict'

// New ids: seconds since 1970 (4 bytes), random for this process (5), a counter (3).

const { randomBytes } = require('node:crypto')
const { readWord } = require('./bytes.js')

// Drawn with the first id, not when the module is loaded: a start-up snapshot must
// not give its random bytes to every process started from it.
let random = null
let counter = 0

/**
 * Writes the words of a new id.
 *
 * @param {Int32Array} words
 * @param {number} [seconds] since 1970; now if it is no number
 */
function generateWords(words, seconds) {
  if (random === null) {
    const bytes = randomBytes(8)
    random = { word1: readWord(bytes, 0), word2: bytes[4] << 24 }
    counter = readWord(bytes, 4) & 0xffffff
  }
  counter = (counter + 1) & 0xffffff
  words[0] = typeof seconds === 'number' ? seconds : Date.now() / 1000
  words[1] = random.word1
  words[2] = random.word2 | counter
}

module.exports = { generateWords }
