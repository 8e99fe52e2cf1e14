import { lines } from '../lib/lines.js'

export function orderLines(random, count) {
  const cities = random.list(random.integer(40, 4000), () => random.sentence(random.integer(11, 28)))
  const customers = random.list(Math.ceil(count / random.integer(3, 30)), () => `${random.word()}.${random.word()}@${random.word()}.example`)
  const noteLength = random.integer(12, 80)
  return lines(count, id => ({
    id,
    city: random.favour(cities),
    email: random.pick(customers),
    total: random.integer(100, 99999) / 100,
    paid: random.chance(0.9),
    note: random.chance(0.4) ? random.sentence(noteLength) : null
  }))
}

export class Orders {
  rows

  constructor(rows) {
    this.rows = rows
  }
}
