import { lines } from '../lib/lines.js'

export function customerLines(random, count) {
  const streets = random.list(random.integer(500, 5000), () => random.sentence(random.integer(11, 40)))
  const regions = random.list(random.integer(12, 90), () => random.sentence(random.integer(11, 20)))
  return lines(count, id => ({
    id,
    name: random.sentence(14),
    contact: {
      phone: random.hex(12),
      address: { street: random.pick(streets), number: random.integer(1, 300), region: random.favour(regions) }
    }
  }))
}

export class Customers {
  byId = new Map()
}
