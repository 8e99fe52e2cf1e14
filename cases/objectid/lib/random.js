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

  pick(list) {
    return list[this.below(list.length)]
  }
}
