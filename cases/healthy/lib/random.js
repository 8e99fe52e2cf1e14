// A seeded generator: the same seed gives the same values on every machine and Node.js version.

const CONSONANTS = 'bcdfghjklmnprstvz'
const VOWELS = 'aeiou'

export class Random {
  #state

  constructor(seed) {
    this.#state = (seed * 2654435761 + 40503) >>> 0
  }

  /** A number from 0 up to, but not including, 1. */
  unit() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }

  /** A whole number, both ends included. */
  integer(low, high) {
    return low + Math.floor(this.unit() * (high - low + 1))
  }

  chance(share) {
    return this.unit() < share
  }

  pick(list) {
    return list[this.integer(0, list.length - 1)]
  }

  /** One of `list`, the first ones much more often than the last. */
  favour(list) {
    const at = this.unit()
    return list[Math.floor(at * at * list.length)]
  }

  list(length, make) {
    return Array.from({ length }, (_, index) => make(index))
  }

  bytes(length) {
    const bytes = Buffer.allocUnsafeSlow(length)
    for (let at = 0; at < length; at++) bytes[at] = this.integer(0, 255)
    return bytes
  }

  hex(digits) {
    return this.bytes(digits / 2).toString('hex')
  }

  word(syllables = this.integer(2, 4)) {
    return this.list(syllables, () => this.pick(CONSONANTS) + this.pick(VOWELS)).join('')
  }

  /** Words with spaces between them: about `length` characters, at least that many. */
  sentence(length) {
    const words = []
    for (let written = 0; written < length; written += words.at(-1).length + 1) words.push(this.word())
    return words.join(' ')
  }

  /** A moment within about three years, in milliseconds since 1970. */
  moment() {
    return 1640995200000 + Math.floor(this.unit() * 94672800000)
  }
}
