// A seeded generator of integers. Only integer arithmetic is used, so that the
// sequence is the same on every machine and engine.

export class Random {
  #state

  /** @param {number} seed any integer but 0 */
  constructor(seed) {
    this.#state = seed | 0
  }

  /** The next 32 bits, as an unsigned integer (Marsaglia's xorshift). */
  bits() {
    let x = this.#state
    x ^= x << 13
    x ^= x >>> 17
    x ^= x << 5
    this.#state = x
    return x >>> 0
  }

  /** An integer from 0 up to, but not including, `limit`. */
  below(limit) {
    return this.bits() % limit
  }

  /** An integer from `min` to `max`, both included. */
  between(min, max) {
    return min + this.below(max - min + 1)
  }

  /** True `perMille` times in a thousand. */
  chance(perMille) {
    return this.below(1000) < perMille
  }

  pick(list) {
    return list[this.below(list.length)]
  }

  /** `length` characters of `alphabet`. */
  text(alphabet, length) {
    let text = ''
    for (let i = 0; i < length; i++) text += alphabet[this.below(alphabet.length)]
    return text
  }

  /** An integer with between `minBits` and `maxBits` bits: small ones are as likely as large ones. */
  spreadOverMagnitudes(minBits, maxBits) {
    const lowest = 2 ** (this.between(minBits, maxBits) - 1)
    return lowest + this.below(lowest)
  }
}
