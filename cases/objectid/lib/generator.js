// Lines of orders, as a shop's database has them: three ids each, none of them twice,
// and a few small fields.

import { Random } from './random.js'

const FIRST_SECOND = Date.UTC(2024, 4, 13) / 1000
const LINES_PER_SECOND = 40
const STATUSES = ['placed', 'paid', 'sent', 'returned']

/** Yields `count` documents, with ids as texts, in the order they were made. */
export function* generateDocuments(count, seed = 0x5eed) {
  const random = new Random(seed)
  for (let i = 0; i < count; i++) {
    const placedAt = FIRST_SECOND + Math.floor(i / LINES_PER_SECOND)
    yield {
      _id: idAt(placedAt, random, 3 * i),
      order_id: idAt(placedAt, random, 3 * i + 1),
      invoice_id: idAt(placedAt + 1, random, 3 * i + 2),
      status: random.pick(STATUSES),
      quantity: 1 + random.below(9),
      cents: 100 + random.below(100_000),
      placed_at: placedAt
    }
  }
}

/** An id of a time, of random bits, and of a counter that makes it the only one. */
function idAt(seconds, random, counter) {
  const low = (counter & 0xffffff).toString(16).padStart(6, '0')
  const middle = (counter >>> 24).toString(16).padStart(2, '0') + hex(random.bits())
  return hex(seconds) + middle + low
}

function hex(bits) {
  return bits.toString(16).padStart(8, '0')
}
