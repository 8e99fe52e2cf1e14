import { lines } from '../lib/lines.js'

/** Text of Greek and Cyrillic letters, which take two bytes each. */
function foreign(random, length) {
  const first = random.pick([0x3b1, 0x430])
  return String.fromCharCode(...random.list(length, () => first + random.integer(0, 23)))
}

export function shopLines(random, count) {
  const towns = random.list(random.integer(200, 3000), () => foreign(random, random.integer(11, 24)))
  const trades = random.list(random.integer(10, 60), () => foreign(random, random.integer(11, 16)))
  return lines(count, id => ({
    id,
    sign: foreign(random, random.integer(12, 40)),
    town: random.pick(towns),
    trade: random.favour(trades),
    rating: random.integer(10, 50) / 10
  }))
}

export class Shops {
  list

  constructor(list) {
    this.list = list
  }
}
