import { lines } from '../lib/lines.js'

export function deviceLines(random, count) {
  return lines(count, () => {
    const digits = random.hex(32)
    const parts = [[0, 8], [8, 12], [12, 16], [16, 20], [20, 32]].map(([from, to]) => digits.slice(from, to))
    return {
      uuid: parts.join('-'),
      name: random.sentence(random.integer(12, 30)),
      battery: random.integer(0, 100),
      signal: random.integer(-120, -30)
    }
  })
}

export class Devices {
  list = []
}
