import { decoded } from '../lib/flat.js'

/** What every payment without refunds refers to. */
export const NONE = Object.freeze([])

export function* payments(random, count) {
  for (let index = 0; index < count; index++) {
    yield { id: decoded(random.hex(16)), cents: random.integer(1, 1e6), method: random.integer(1, 6) }
  }
}

export class Book {
  payments = []
}
