// Three ways to keep a timestamp that arrives as ISO text or null. Differences
// between two of the same kind are always milliseconds.

/** As a Date: an object and a boxed number. */
export function toDate(text) {
  return text === null ? null : new Date(text)
}

/** As milliseconds since 1970: a boxed number, too large for a small integer. */
export function toMs(text) {
  return text === null ? null : Date.parse(text)
}

/** As milliseconds after the round's first timestamp: a small integer, in no box. */
export class RoundClock {
  #origin = null

  /** Bound, so that it can be handed over like the other two. */
  toOffset = text => {
    if (text === null) return null
    const ms = Date.parse(text)
    this.#origin ??= ms
    // Both operands are boxed, and so is their difference, although it would fit a
    // small integer; one such box makes the field hold boxes for good. `| 0` unboxes it.
    // 32 bits are 24 days of milliseconds, to either side; a station whose clock is
    // further off gets its box.
    const offset = ms - this.#origin
    const unboxed = offset | 0
    return unboxed === offset ? unboxed : offset
  }
}
