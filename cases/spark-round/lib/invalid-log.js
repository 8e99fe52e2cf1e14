const SHOWN = 10

/**
 * Says on stderr which measurements are invalid, and why. The first ones are shown in full; of the
 * others only the number, so that a round full of them does not fill the log.
 */
export class InvalidLog {
  #count = 0

  add(error, measurement) {
    if (++this.#count <= SHOWN) console.error('Invalid measurement:', error.message, measurement)
  }

  close() {
    const more = this.#count - SHOWN
    if (more > 0) console.error('Invalid measurements: %d more', more)
  }
}
