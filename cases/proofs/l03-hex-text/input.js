import { lines } from '../lib/lines.js'

/** Documents with ids of 12 or 16 bytes, written as hexadecimal digits. */
export function documentLines(random, count) {
  const wordsInId = random.integer(3, 4)
  return {
    wordsInId,
    lines: lines(count, () => ({
      id: random.hex(wordsInId * 8),
      title: random.sentence(random.integer(12, 50)),
      views: random.integer(0, 1e6),
      score: random.integer(-100, 100)
    }))
  }
}

export class Store {
  documents = []
}
